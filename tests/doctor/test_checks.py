"""What the facts of a machine mean: which are troubles, and what to do about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.environment import collect
from opperf.core.finding import LEVELS
from opperf.core.frameworks.registry import find_framework
from opperf.doctor.checks import check_facts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from opperf.core.finding import Finding

    Facts = Callable[..., dict[str, Any]]
    Machine = Callable[..., Path]

SEEN = {
    "proc/meminfo": "MemAvailable: 8000000 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB",
    "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count": "0",
    "sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc",
}


def found(facts: dict[str, Any], root: Path) -> dict[str, Finding]:
    """Return the findings by their checks."""
    findings = check_facts(facts, root)
    assert len({finding.check for finding in findings}) == len(findings)
    return {finding.check: finding for finding in findings}


def test_a_quiet_machine_is_fine(facts: Facts, machine: Machine) -> None:
    """Nothing is noted, so nothing is advised, but for what is not installed."""
    findings = found(facts(), machine(SEEN)).values()
    installed = [f for f in findings if f.figure != "not installed"]
    assert {finding.level for finding in installed} == {"ok"}
    assert [finding.advice for finding in installed if finding.advice] == []


@pytest.mark.parametrize(
    ("check", "changes", "level", "advice"),
    [
        ("clock", {"clock": {"resolution": 1e-9, "read_cost": 1e-6}}, "warning", "tsc"),
        ("clock", {"clock": {"resolution": 1e-2, "read_cost": 4e-8}}, "warning", "tsc"),
        ("governor", {"governor": "powersave"}, "warning", "performance"),
        ("governor", {"governor": None}, "note", "the host decides"),
        ("boost", {"boost": True}, "note", "switch boost off"),
        ("SMT", {"smt": True, "physical_cores": 4}, "note", "share a core"),
        ("virtual machine", {"hypervisor": True}, "note", "steal"),
        ("threads", {"affinity": [0, 1]}, "note", "--threads"),
        ("huge pages", {"huge_pages": "always"}, "note", "madvise"),
        ("container", {"container": {"cpu_quota": 1.5}}, "warning", "whole processors"),
        ("container", {"container": {"cpu_quota": 8.0}}, "note", ""),
        ("container", {"container": None}, "ok", ""),
        ("load", {"load_average": [1.2, 0.5, 0.1]}, "note", "ran here"),
        ("GPU", {"gpu": ["A GPU"], "gpu_state_reason": "no NVML"}, "note", "no NVML"),
    ],
)
def test_a_trouble_comes_with_advice(
    check: str, changes: dict[str, Any], level: str, advice: str, facts: Facts, machine: Machine
) -> None:
    """Each fact by itself."""
    finding = found(facts(**changes), machine(SEEN))[check]
    assert finding.level == level
    assert advice in finding.advice


def test_throttling_and_swapping_are_read_from_the_machine(facts: Facts, machine: Machine) -> None:
    """The counters of all processors are added up."""
    folder = "sys/devices/system/cpu/cpu{}/thermal_throttle/core_throttle_count"
    memory = "MemAvailable: 1000 kB\nSwapTotal: 5000 kB\nSwapFree: 1000 kB"
    files = {folder.format(0): "2", folder.format(1): "3", "proc/meminfo": memory}
    findings = found(facts(), machine(files))
    assert (findings["throttling"].level, findings["throttling"].value) == ("note", 5)
    assert findings["memory"].level == "warning"
    assert findings["memory"].figure == "1.02 MB free, 4.10 MB swapped out"


def test_a_machine_that_tells_nothing_is_no_crash(facts: Facts, tmp_path: Path) -> None:
    """Every fact that can be missing is missing here."""
    nothing = dict.fromkeys(facts())
    clock = {"resolution": 1e-9, "read_cost": 4e-8}
    findings = found({**nothing, "clock": clock}, tmp_path)
    assert findings["governor"].figure == "cannot be seen here"
    assert findings["throttling"].figure == "cannot be seen here"
    assert findings["memory"].figure == "cannot be seen here"
    assert "load" not in findings
    assert findings["GPU"].figure == "none"


def test_a_framework_that_is_absent_is_one_line(
    facts: Facts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what installs it."""
    kind = type(find_framework("mxnet"))
    monkeypatch.setattr(kind, "is_installed", lambda _: False)
    finding = found(facts(), tmp_path)["mxnet"]
    assert (finding.level, finding.figure) == ("note", "not installed")
    assert finding.advice == "pip install 'opperf[mxnet]'"


def test_this_machine_is_understood() -> None:
    """Whatever it is: every finding has a level, a figure of one line, and advice where needed."""
    for finding in check_facts(collect()):
        assert finding.level in LEVELS
        assert finding.figure
        assert "\n" not in finding.figure + finding.advice
        assert finding.level != "warning" or finding.advice
