"""The processor: model, cores, caches, and what sets its speed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from opperf.core.environment.processor import processor_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Machine = Callable[[Mapping[str, str]], Path]

CPUS = "sys/devices/system/cpu"


def topology(*, sockets: int, cores: int, threads: int) -> dict[str, str]:
    """Return the files of a machine that numbers the second thread of each core last."""
    physical = sockets * cores
    files = {f"{CPUS}/online": f"0-{physical * threads - 1}"}
    for cpu in range(physical * threads):
        core = cpu % physical
        mates = [core + physical * thread for thread in range(threads)]
        package = [n for n in range(physical * threads) if n % physical // cores == core // cores]
        files[f"{CPUS}/cpu{cpu}/topology/thread_siblings_list"] = ",".join(map(str, mates))
        files[f"{CPUS}/cpu{cpu}/topology/core_siblings_list"] = ",".join(map(str, package))
    return files


@pytest.mark.parametrize(
    ("sockets", "cores", "threads"), [(1, 1, 1), (1, 2, 1), (1, 8, 2), (2, 64, 2), (4, 3, 4)]
)
def test_topology(machine: Machine, sockets: int, cores: int, threads: int) -> None:
    """Sockets, physical and logical cores are counted, and several threads a core mean SMT."""
    facts = processor_facts(machine(topology(sockets=sockets, cores=cores, threads=threads)))
    assert facts["sockets"] == sockets
    assert facts["physical_cores"] == sockets * cores
    assert facts["cores"] == sockets * cores * threads
    assert facts["smt"] is (threads > 1)


def test_topology_in_part(machine: Machine) -> None:
    """Cores of which one processor says nothing are not counted at all."""
    files = topology(sockets=1, cores=2, threads=1)
    del files[f"{CPUS}/cpu1/topology/thread_siblings_list"]
    facts = processor_facts(machine(files))
    assert (facts["physical_cores"], facts["smt"], facts["sockets"]) == (None, None, 1)


def test_nothing_known(tmp_path: Path) -> None:
    """Without /proc and /sys only what Python itself knows is left, and the rest is None."""
    facts = processor_facts(tmp_path)
    assert facts.pop("cores") == os.cpu_count()
    assert facts.pop("architecture")
    assert facts.pop("caches") == {"L1d": None, "L2": None, "L3": None}
    assert set(facts.values()) == {None}


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ("model name\t: AMD EPYC   7B13", "AMD EPYC 7B13"),
        ("CPU implementer\t: 0x41\nCPU part\t: 0xd0c", "CPU implementer 0x41 part 0xd0c"),
        ("cpu\t\t: POWER9, altivec supported", "POWER9, altivec supported"),
        ("processor\t: 0", None),
    ],
)
def test_model(machine: Machine, lines: str, name: str | None) -> None:
    """The model is found on x86, Arm and POWER, with single spaces."""
    assert processor_facts(machine({"proc/cpuinfo": lines}))["cpu"] == name


@pytest.mark.parametrize(
    ("files", "virtual"),
    [
        ({"proc/cpuinfo": "flags\t: fpu hypervisor sse"}, True),
        ({"proc/cpuinfo": "flags\t: fpu sse"}, False),
        ({"proc/cpuinfo": "Features\t: fp asimd"}, None),
        ({"sys/hypervisor/type": "xen"}, True),
    ],
)
def test_hypervisor(machine: Machine, files: dict[str, str], virtual: object) -> None:
    """A virtual machine is told by its processor's flags, and Arm has no such flag."""
    assert processor_facts(machine(files))["hypervisor"] is virtual


def test_caches(machine: Machine) -> None:
    """Sizes are in bytes, the instruction cache is left out, and odd entries are None."""
    entries = [("1", "Data", "48K"), ("1", "Instruction", "64K"), ("2", "Unified", "2M")]
    entries += [("3", "Unified", "lots"), ("x", "Data", "1K")]
    root = machine(
        {
            f"{CPUS}/cpu0/cache/index{index}/{name}": text
            for index, entry in enumerate(entries)
            for name, text in zip(("level", "type", "size"), entry, strict=True)
        }
    )
    assert processor_facts(root)["caches"] == {"L1d": 49152, "L2": 2097152, "L3": None}


@pytest.mark.parametrize(
    ("file", "text", "allowed"),
    [
        ("cpufreq/boost", "1", True),
        ("cpufreq/boost", "0", False),
        ("intel_pstate/no_turbo", "0", True),
        ("intel_pstate/no_turbo", "1", False),
        ("intel_pstate/no_turbo", "?", None),
    ],
)
def test_boost(machine: Machine, file: str, text: str, allowed: object) -> None:
    """Intel's file says that boost is off, the general one that it is on."""
    assert processor_facts(machine({f"{CPUS}/{file}": text}))["boost"] is allowed


def test_governor(machine: Machine) -> None:
    """The governor is that of the first processor."""
    root = machine({f"{CPUS}/cpu0/cpufreq/scaling_governor": "performance"})
    assert processor_facts(root)["governor"] == "performance"
