"""Instructions of one call, under a counter that moves only when a test's calls say so."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.environment.perf_event import AVAILABLE, availability
from opperf.core.frameworks.device import Device
from opperf.core.frameworks.workload import Work
from opperf.core.timing import instructions
from opperf.core.timing.instructions import counters, net
from opperf.measuring.attempt import Attempt
from opperf.nd import Add

if TYPE_CHECKING:
    from collections.abc import Iterable

    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.framework import Framework


@dataclass
class FakeCounters:
    """A processor's count of instructions: of a call, of none, and of waking the engine once."""

    call: int = 1000
    null: int = 0
    waking: int = 0
    total: int | None = 0
    longest: int = 0

    def __enter__(self) -> Any:
        """Begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """End."""

    def read(self) -> int | None:
        """Return the count."""
        return self.total

    def add(self, count: int) -> None:
        """Do some work."""
        if self.total is not None:
            self.total += count

    def work(self, **fields: Any) -> Work:
        """Return calls that this counts."""

        def steps(count: int) -> Iterable[Step]:
            self.longest = max(self.longest, count)
            return repeat(partial(self.add, self.call), count)

        device = Device(synchronize=partial(self.add, self.waking))
        return Work(device=device, steps=steps, no_op=partial(self.add, self.null), **fields)


@pytest.mark.parametrize("iterations", [1, 3, 4, 1000])
def test_the_count_is_that_of_one_call(iterations: int) -> None:
    """However many calls a batch has, and less what the harness does around each."""
    fake = FakeCounters(call=1000, null=30)
    assert net(fake, fake.work(), iterations) == 970  # type: ignore[arg-type] # in its shape


def test_what_happens_once_a_batch_is_no_part_of_a_call() -> None:
    """Waking an engine and awaiting it cancel between a long and a short batch."""
    fake = FakeCounters(call=1000, waking=500_000)
    assert net(fake, fake.work(), 100) == 1000  # type: ignore[arg-type] # in its shape


def test_a_count_that_is_no_count_stays_missing() -> None:
    """Where the processor's counters had to take turns, there is no figure at all."""
    fake = FakeCounters(total=None)
    assert net(fake, fake.work(), 100) is None  # type: ignore[arg-type] # in its shape


def test_no_more_calls_are_prepared_than_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of a work holds here as well, and the least that a cold ring needs."""
    monkeypatch.setattr(instructions, "availability", lambda: AVAILABLE)
    for limit, least, longest in ((37, 1, 37), (10**6, 1, 100), (10**6, 128, 128)):
        fake = FakeCounters()
        monkeypatch.setattr(instructions, "Counters", lambda fake=fake: fake)
        work = fake.work(limit=limit, least=least)
        assert counters(work, 100, Settings()) == {"instructions": 1000}
        assert fake.longest == longest


@pytest.mark.parametrize(
    ("threads", "device", "answer"),
    [
        (2, "cpu", AVAILABLE),
        (1, "cuda:0", AVAILABLE),
        (1, "cpu", "not permitted"),
    ],
    ids=["threads that wait for each other", "a GPU", "forbidden"],
)
def test_where_a_count_would_mislead_there_is_none(
    monkeypatch: pytest.MonkeyPatch, threads: int, device: str, answer: str
) -> None:
    """Of more threads than one, of another device, and where the machine forbids it."""
    monkeypatch.setattr(instructions, "availability", lambda: answer)
    work = Work(device=Device(name=device), steps=lambda _: [], no_op=lambda: None)
    assert counters(work, 100, Settings(threads=threads)) is None


def test_a_counter_that_cannot_be_opened_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where the first could be: there may be no room for as many as there are threads."""

    def refuse() -> FakeCounters:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(instructions, "availability", lambda: AVAILABLE)
    monkeypatch.setattr(instructions, "Counters", refuse)
    assert counters(FakeCounters().work(), 100, Settings()) is None


def test_an_operator_s_count_grows_with_its_size(measured: Framework) -> None:
    """Four times the elements are four times the instructions, whichever thread executes them."""
    if availability() != AVAILABLE:
        pytest.skip(availability())
    found = []
    for rows in (512, 2048):
        operator = Add({"lhs": (rows, 1024), "rhs": (rows, 1024)})
        work = Attempt(operator, measured, "cpu", Settings()).workload("only").works["forward"]()
        work.time(4)
        count = counters(work, 16, Settings())
        assert count is not None
        found.append(count["instructions"])
    assert found[1] / found[0] == pytest.approx(4, rel=0.1)  # type: ignore[operator] # numbers
