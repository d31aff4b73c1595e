"""A clock that moves only when a test's operator says so, devices on it, and the frameworks."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import repeat
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.frameworks.device import Device
from opperf.core.frameworks.registry import find_framework
from opperf.core.frameworks.workload import Work

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.framework import Framework


@dataclass
class FakeMachine:
    """A clock in nanoseconds, and a device that may finish its work later than a call returns.

    `costs` are the nanoseconds of successive calls, the last repeated for ever; `submit` what a
    call keeps the host busy where the device is asynchronous; `waking` what each wait costs.
    """

    costs: Iterator[int]
    submit: int | None = None
    waking: int = 0
    null: int = 0
    now: int = 0
    busy_until: int = 0
    calls: int = 0
    asked: list[int] = field(default_factory=list)

    def clock(self) -> int:
        """Return the time."""
        return self.now

    def call(self) -> None:
        """Do one call's work."""
        self.calls += 1
        cost = next(self.costs)
        if self.submit is None:
            self.now += cost
        else:
            self.now += self.submit
            self.busy_until = max(self.busy_until, self.now) + cost

    def do_nothing(self) -> None:
        """Pass the time of a call that does nothing."""
        self.now += self.null

    def synchronize(self) -> None:
        """Wait until the device is done."""
        self.now = max(self.now, self.busy_until) + self.waking

    def steps(self, iterations: int) -> Iterable[Step]:
        """Prepare as many calls."""
        self.asked.append(iterations)
        return repeat(self.call, iterations)

    def work(self, *, interval: float = 200e-6, constant: float = 0.0, **fields: Any) -> Work:
        """Return this machine's calls as a work to be measured."""
        device = Device(
            clock=self.clock, synchronize=self.synchronize, interval=interval, constant=constant
        )
        return Work(device=device, steps=self.steps, no_op=self.do_nothing, **fields)


def forever(*costs: int) -> Iterator[int]:
    """Yield the costs, then the last of them again and again."""
    yield from costs
    yield from repeat(costs[-1])


@pytest.fixture
def machine() -> Callable[..., FakeMachine]:
    """Return a function that makes a fake machine from the costs of its calls."""

    def make(*costs: int, **fields: Any) -> FakeMachine:
        return FakeMachine(forever(*costs), **fields)

    return make


@pytest.fixture(params=["mxnet", "pytorch"])
def measured(request: pytest.FixtureRequest) -> Framework:
    """Return each framework that differentiates, loaded, or skip where it is not installed."""
    framework = find_framework(request.param)
    if not framework.is_installed():
        pytest.skip(f"{framework.name} is not installed")
    framework.load(1)
    return framework
