"""The instruction sets of the processor, and what oneDNN makes of them and of its variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from opperf.core.environment.instruction_sets import instruction_sets
from opperf.core.environment.onednn import LEVELS, OneDNN, flags_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Machine = Callable[[Mapping[str, str]], Path]

BUILD = OneDNN(("ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA"))
HASWELL = "fpu sse sse4_1 sse4_2 avx f16c fma avx2"
SKYLAKE = f"{HASWELL} avx512f avx512dq avx512cd avx512bw avx512vl"
ICELAKE = f"{SKYLAKE} avx512_vnni"


def processor(flags: str) -> Mapping[str, str]:
    """Return the file in which the kernel names the flags of an x86 processor."""
    return {"proc/cpuinfo": f"processor\t: 0\nflags\t\t: {flags}\n\nprocessor\t: 1\nflags\t\t: fpu"}


def test_of_x86_and_of_arm(machine: Machine) -> None:
    """The flags by which libraries choose are kept, in one order, and no others."""
    found = instruction_sets(machine(processor(f"avx2 lm {SKYLAKE} sse2")))
    assert found == [
        *("sse4_1", "sse4_2", "avx", "f16c", "fma", "avx2"),
        *("avx512f", "avx512dq", "avx512bw", "avx512vl"),
    ]
    found = instruction_sets(machine({"proc/cpuinfo": "Features\t: fp asimd crc32 sve i8mm bf16"}))
    assert found == ["asimd", "bf16", "i8mm", "sve"]


def test_unknown_is_not_none(tmp_path: Path, machine: Machine) -> None:
    """A machine that does not say is told from one whose processor has none of them."""
    assert instruction_sets(tmp_path) is None
    assert instruction_sets(machine(processor("fpu"))) == []


@pytest.mark.parametrize(
    ("flags", "variables", "level"),
    [
        (HASWELL, {}, "avx2"),
        (SKYLAKE, {}, "avx512_core"),
        (ICELAKE, {}, "avx512_core_vnni"),
        (ICELAKE, {"DNNL_MAX_CPU_ISA": "AVX512_CORE"}, "avx512_core"),
        (ICELAKE, {"DNNL_MAX_CPU_ISA": "avx2"}, "avx2"),
        (ICELAKE, {"DNNL_MAX_CPU_ISA": "AVX2", "ONEDNN_MAX_CPU_ISA": "SSE41"}, "sse41"),
        (ICELAKE, {"ONEDNN_MAX_CPU_ISA": "AVX2_VNNI"}, "avx2"),
        (ICELAKE, {"ONEDNN_MAX_CPU_ISA": "no such level"}, "avx512_core_vnni"),
        (HASWELL, {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE"}, "avx2"),
        ("fpu", {}, None),
    ],
)
def test_the_level_of_onednn(
    machine: Machine, flags: str, variables: Mapping[str, str], level: str | None
) -> None:
    """It is the highest that the processor reaches and the variables allow."""
    assert BUILD.level(variables, machine(processor(flags))) == level


def test_what_is_missing_is_named(machine: Machine) -> None:
    """The processor's flags, or the variable that forbids; nothing where nothing is missing."""
    haswell = machine(processor(HASWELL))
    lacks = "needs avx512_core; this processor lacks avx512f, avx512dq, avx512bw, avx512vl"
    assert BUILD.shortage("avx512_core", {}, haswell) == lacks
    icelake = machine(processor(ICELAKE))
    forbids = "needs avx512_core; DNNL_MAX_CPU_ISA forbids what is above avx2"
    assert BUILD.shortage("avx512_core", {"DNNL_MAX_CPU_ISA": "AVX2"}, icelake) == forbids
    assert BUILD.shortage("avx512_core", {}, icelake) is None
    assert BUILD.shortage("avx512_core", {"DNNL_MAX_CPU_ISA": "AVX512_CORE"}, icelake) is None
    arm = machine({"proc/cpuinfo": "Features\t: fp asimd"})
    assert str(BUILD.shortage("avx2", {}, arm)).startswith(
        "needs avx2; this processor lacks sse4_1"
    )


def test_where_nobody_knows_nothing_is_missing(tmp_path: Path) -> None:
    """A fault must not hide behind a processor that does not name its instruction sets."""
    assert BUILD.shortage("avx512_core", {"DNNL_MAX_CPU_ISA": "AVX2"}, tmp_path) is None
    assert BUILD.level({}, tmp_path) is None


def test_an_older_onednn_knows_capital_letters_only() -> None:
    """Else a limit would be recorded that limits nothing."""
    old = OneDNN(("DNNL_MAX_CPU_ISA",), any_case=False)
    assert old.limit({"DNNL_MAX_CPU_ISA": "avx2"}) is None
    assert old.limit({"DNNL_MAX_CPU_ISA": "AVX2"}) == ("DNNL_MAX_CPU_ISA", "avx2")
    assert old.limit({"ONEDNN_MAX_CPU_ISA": "AVX2"}) is None


def test_each_level_adds_to_those_before() -> None:
    """Nothing is named twice, and the last level needs all."""
    flags = flags_of(list(LEVELS)[-1])
    assert len(set(flags)) == len(flags)
    assert set(flags) > set(flags_of("avx512_core")) > set(flags_of("avx2"))
