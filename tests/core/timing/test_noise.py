"""What disturbs samples is seen by a probe, and counted by the system."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import pytest

from opperf.core.frameworks.device import Device
from opperf.core.timing import noise
from opperf.core.timing.noise import (
    MOST_PROBED,
    PROBE_EVERY,
    QUIET_PART,
    InterferenceProbe,
    InterferenceProbes,
    SystemCounters,
    interference_probe,
    stolen_seconds,
    waited_seconds,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

USUAL, SLOW = 50_000, 65_000
READING = SystemCounters(
    wall=0, cpu=0, context_switches=10, page_faults=100, steal=1.0, pressure=2.0
)


def probe(probes: list[int], before: list[int]) -> InterferenceProbe:
    """Return a probe that took these nanoseconds after so many samples."""
    return InterferenceProbe(lambda: 0, times=probes, before=before)


def test_samples_between_usual_probes_are_not_marked() -> None:
    """A probe within a fifth of the usual one marks nothing."""
    assert probe([USUAL, USUAL + 9000, USUAL], [0, 5, 10]).marked_samples(10) == []


def test_a_slow_probe_marks_the_samples_on_both_sides() -> None:
    """Whatever had the processor may have had it before and after."""
    found = probe([USUAL, SLOW, USUAL, USUAL], [0, 2, 6, 10]).marked_samples(10)
    assert found == [0, 1, 2, 3, 4, 5]


def test_an_operator_that_lowers_the_clock_marks_nothing() -> None:
    """All probes beside its samples are slow: wide vectors make the processor slower as a whole."""
    assert probe([SLOW, SLOW], [0, 3]).marked_samples(3) == []


def test_a_probe_that_never_ran_marks_nothing() -> None:
    """There is nothing to compare."""
    assert InterferenceProbe(lambda: 0).marked_samples(0) == []


@pytest.fixture
def placed(monkeypatch: pytest.MonkeyPatch) -> list[set[int]]:
    """Return where the caller was put, the last time last; he may be on two processors."""
    moves: list[set[int]] = [{4, 7}]
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: moves[0], raising=False)
    monkeypatch.setattr(os, "sched_setaffinity", lambda _, to: moves.append(set(to)), raising=False)
    return moves


def test_there_is_a_probe_on_each_processor_that_works(
    placed: list[set[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A neighbor of the other one is detected, and the caller may be where he was before."""
    moments = count(step=10_000_000)
    lengths = {4: iter([USUAL] * 3), 7: iter([USUAL, USUAL, 2 * USUAL])}
    monkeypatch.setattr(noise, "probe_time", lambda _: next(lengths[next(iter(placed[-1]))]))
    found = interference_probe(Device(clock=lambda: next(moments), beside=True))
    assert isinstance(found, InterferenceProbes)
    for samples in (0, 5, 10):
        found.run(samples)
    assert placed[1:] == [{4}, {7}, {4, 7}] * 3
    assert found.marked_samples(15) == [*range(5, 15)]
    assert found.probes[4].marked_samples(15) == []


def test_probes_are_as_rare_as_one(placed: list[set[int]]) -> None:
    """The caller goes nowhere where nobody is due."""
    found = interference_probe(Device(clock=lambda: 0, beside=True))
    found.run(0)
    moves = len(placed)
    found.run(1)
    assert len(placed) == moves


@pytest.mark.parametrize(
    ("allowed", "beside"),
    [({4, 7}, False), ({4}, True), (set(range(MOST_PROBED + 1)), True), (None, True)],
)
def test_one_probe_stays_with_the_caller(
    allowed: set[int] | None, monkeypatch: pytest.MonkeyPatch, *, beside: bool
) -> None:
    """Where he does the work, has one processor, or more than can be listened to or told."""

    def affinity(_: int) -> set[int]:
        if allowed is None:
            raise OSError
        return allowed

    monkeypatch.setattr(os, "sched_getaffinity", affinity, raising=False)
    assert isinstance(interference_probe(Device(beside=beside)), InterferenceProbe)


def test_the_usual_is_among_the_shortest() -> None:
    """Neither one freak nor all that was slow moves it, as long as one in eight was not."""
    probes = [1, *[USUAL] * 5, *[SLOW] * (6 * (QUIET_PART - 1))]
    assert probe(probes, []).usual() == USUAL


def test_probes_are_at_least_a_millisecond_apart() -> None:
    """Short samples are not slowed by the probe: it runs between some of them only."""
    ticks: Iterator[int] = count(0, 200_000)
    found = InterferenceProbe(clock=lambda: next(ticks))
    for sample in range(100):
        found.run(sample)
    assert 10 < len(found.times) < 40
    assert PROBE_EVERY * 1e9 > 200_000


def test_the_system_counts_what_happened_meanwhile() -> None:
    """Counts are differences; times become shares of the time on the wall."""
    later = SystemCounters(
        wall=10**9, cpu=9 * 10**8, context_switches=13, page_faults=100, steal=1.25, pressure=2.5
    )
    noise = later.since(READING, marked_share=0.5)
    assert noise.cpu_share == pytest.approx(0.9)
    assert (noise.context_switches, noise.page_faults) == (3, 0)
    assert (noise.steal, noise.pressure, noise.marked) == (0.25, 0.5, 0.5)


def test_what_is_not_counted_is_none() -> None:
    """A system without these files is no error, and no zero."""
    unknown = replace(READING, context_switches=None, page_faults=None, steal=None, pressure=None)
    noise = replace(unknown, wall=10).since(unknown, marked_share=None)
    assert noise.context_switches is noise.page_faults is noise.steal is noise.pressure is None


def test_steal_is_read_from_the_first_line(tmp_path: Path) -> None:
    """The eighth number of all processors together, in clock ticks."""
    (tmp_path / "stat").write_text("cpu  1 2 3 4 5 6 7 800 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n")
    ticks, cores = os.sysconf("SC_CLK_TCK"), os.cpu_count() or 1
    assert stolen_seconds(tmp_path) == pytest.approx(800 / ticks / cores)
    (tmp_path / "stat").write_text("cpu 1 2\n")
    assert stolen_seconds(tmp_path) is None


def test_pressure_is_read_from_the_line_of_some(tmp_path: Path) -> None:
    """Its total is in microseconds."""
    assert waited_seconds(tmp_path) is None
    (tmp_path / "pressure").mkdir()
    (tmp_path / "pressure/cpu").write_text(
        "some avg10=0.00 avg60=0.10 avg300=0.13 total=5825906\nfull avg10=0.00 total=1\n"
    )
    assert waited_seconds(tmp_path) == pytest.approx(5.825906)


def test_a_reading_of_this_machine_counts_forward() -> None:
    """Two readings differ by what was done between them."""
    start = SystemCounters.now()
    _ = sum(range(100_000))
    noise = SystemCounters.now().since(start, marked_share=None)
    assert noise.cpu_share is not None
    assert noise.cpu_share > 0
