"""Energy: counted over enough calls that the counter's steps do not show, or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.environment.nvml import NvmlValue
from opperf.core.frameworks.device import Device
from opperf.core.frameworks.workload import Work
from opperf.measuring.probes import energy as probe
from opperf.measuring.probes.energy import (
    Counter,
    Meter,
    NoEnergyError,
    find_meter,
    joules,
    measure_energy,
    packages,
    period,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CALL, POLL = 1e-4, 1e-5
"""Seconds of a call, and of each look at the clock."""
RANGE = 262143328850


@dataclass
class Machine:
    """A clock of its own, and a counter of 20 W that is renewed every so many seconds."""

    period: float = 1e-3
    watts: float = 20.0
    start: int = 0
    now: float = 0.0

    def clock(self) -> float:
        """Return the time; looking takes some."""
        self.now += POLL
        return self.now

    def read(self) -> int:
        """Return the microjoules as of the last renewal, within the counter's range."""
        renewed = int(self.now / self.period) * self.period
        return int(self.start + renewed * self.watts * 1e6) % RANGE

    def call(self) -> None:
        """Take a call's time."""
        self.now += CALL

    def work(self, **fields: Any) -> Work:
        """Return calls on this machine."""
        device = Device(clock=lambda: int(self.now * 1e9))
        return Work(
            device=device, steps=lambda count: repeat(self.call, count), no_op=self.call, **fields
        )

    def joules(self, *, longest: float = 2.0, **fields: Any) -> float:
        """Return what the probe finds of a call."""
        counter = Counter(self.read, 1e-6, RANGE)
        meter = Meter([counter], period(counter, self.clock))
        return joules(meter, self.work(**fields), CALL, longest, self.clock)


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """Let no test leave the meter of a machine that it made up."""
    yield
    find_meter.cache_clear()


@pytest.mark.parametrize("start", [0, RANGE - 1_000_000])
@pytest.mark.parametrize("period", [1e-3, 7e-3])
def test_a_call_takes_watts_times_seconds(start: int, period: float) -> None:
    """Also where the counter begins anew meanwhile, and to less than 1 %."""
    assert Machine(period, start=start).joules() == pytest.approx(20.0 * CALL, rel=0.01)


def test_packages_add_up() -> None:
    """A machine with two sockets has two counters."""
    machine = Machine()
    counter = Counter(machine.read, 1e-6, RANGE)
    meter = Meter([counter] * 2, period(counter, machine.clock))
    found = joules(meter, machine.work(), CALL, 2.0, machine.clock)
    assert found == pytest.approx(40.0 * CALL, rel=0.01)


@pytest.mark.parametrize(
    ("machine", "options", "reason"),
    [
        (Machine(0.02), {}, "more than 4 times the budget"),
        (Machine(0.3), {}, "was not renewed 3 times"),
        (Machine(watts=0.0), {}, "was not renewed 3 times"),
        (Machine(), {"limit": 100}, "no more than 100 calls"),
    ],
)
def test_what_would_be_too_coarse_has_no_value(
    machine: Machine, options: dict[str, Any], reason: str
) -> None:
    """A reason stands there instead."""
    with pytest.raises(NoEnergyError, match=reason):
        machine.joules(**options)


@pytest.fixture
def powercap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Return a function that makes a domain of RAPL in a folder of the test's own."""
    monkeypatch.setattr(probe, "POWERCAP", tmp_path)

    def make(folder: str, name: str, microjoules: int = 5) -> Path:
        path = tmp_path / folder
        path.mkdir()
        (path / "name").write_text(f"{name}\n")
        (path / "energy_uj").write_text(f"{microjoules}\n")
        (path / "max_energy_range_uj").write_text(f"{RANGE}\n")
        return path

    return make


def test_only_whole_packages_are_counted(powercap: Callable[..., Path]) -> None:
    """What is a part of one, or holds one, would be counted twice."""
    powercap("intel-rapl:0", "package-0", 7)
    powercap("intel-rapl:1", "package-1", 11)
    powercap("intel-rapl:0:0", "core", 3)
    powercap("intel-rapl:2", "psys", 99)
    found = packages()
    assert [counter.read() for counter in found] == [7, 11]
    assert {counter.most for counter in found} == {RANGE}


def measured(device: str = "cpu") -> Any:
    """Return the metric of some work on a device that is looked at anew."""
    find_meter.cache_clear()
    work = SimpleNamespace(device=SimpleNamespace(name=device))
    return measure_energy(work, SimpleNamespace(times=lambda: [CALL]), Settings())  # type: ignore[arg-type]


def test_what_is_not_there_or_not_readable_says_so(
    powercap: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The metric has no value, and its reason is one line."""
    assert (measured().value, measured().unit) == (None, "J")
    assert measured().reason.startswith("no RAPL in /sys/class/powercap")
    powercap("intel-rapl:0", "package-0")

    def refuse(path: Path, *_: object, **__: object) -> str:
        if path.name == "energy_uj":
            raise PermissionError(13, "Permission denied")
        return "package-0"

    monkeypatch.setattr(Path, "read_text", refuse)
    assert measured().reason.endswith("energy_uj is readable by root only")


@pytest.mark.parametrize(
    ("count", "reason"), [(2, "NVML lists 2 GPUs"), (0, "does not tell"), (None, "not installed")]
)
def test_a_gpu_that_is_not_known_for_sure_says_so(
    monkeypatch: pytest.MonkeyPatch, count: int | None, reason: str
) -> None:
    """Neither is another GPU's energy taken for its own."""

    def handle(index: int) -> int:
        if index >= (count or 0):
            raise RuntimeError("Invalid Argument")
        return index

    nvml = SimpleNamespace(
        nvmlDeviceGetCount=lambda: count, nvmlDeviceGetHandleByIndex=handle,
        nvmlDeviceGetTotalEnergyConsumption=lambda _: 1,
    )  # fmt: skip
    found = NvmlValue(None, "it is not installed") if count is None else NvmlValue(nvml)
    monkeypatch.setattr(probe, "load_nvml", lambda: found)
    assert measured("cuda:0").value is None
    assert reason in measured("cuda:0").reason


def test_nvml_counts_millijoules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the board since its driver was loaded."""
    nvml = SimpleNamespace(
        nvmlDeviceGetCount=lambda: 1, nvmlDeviceGetHandleByIndex=lambda index: index,
        nvmlDeviceGetTotalEnergyConsumption=lambda _: 2500,
    )  # fmt: skip
    monkeypatch.setattr(probe, "load_nvml", lambda: NvmlValue(nvml))
    (counter,) = probe.gpu()
    assert counter.between(0, counter.read()) == pytest.approx(2.5)


def test_a_meter_is_found_once_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither every row waits for renewals, nor every row waits for what is not there."""
    asked = []

    def refuse() -> list[Counter]:
        asked.append(1)
        raise NoEnergyError("there is none")

    find_meter.cache_clear()
    monkeypatch.setattr(probe, "packages", refuse)
    assert [find_meter("cpu").reason for _ in range(3)] == ["there is none"] * 3
    assert asked == [1]
