"""Blocks in turns, without a process: order, marks, and when enough pairs are taken."""

from __future__ import annotations

from itertools import count
from math import log
from random import Random

import pytest

from opperf.comparing.pairs.blocks import (
    FEWEST,
    FIRST_LOOK,
    MOST,
    SECONDS,
    Block,
    Pairs,
    measure_pairs,
)
from opperf.core.timing.noise import PROBE_SLOW

PROBE = 50_000


class Bench:
    """Two arms on a clock of their own; a block lasts as long as it says."""

    def __init__(self, a: float = 1.0, b: float = 1.0, *, lasts: float = 1e-3) -> None:
        self.now = 0
        self.order: list[str] = []
        self.times = {"a": a, "b": b}
        self.lasts = lasts
        self.noise = Random(3)  # noqa: S311 - no secret
        self.wide = 0.0
        self.slow_probes = frozenset[int]()
        self.switched = frozenset[int]()
        self.numbers = count()

    def take(self, arm: str) -> Block:
        """Take a block of an arm."""
        self.now += int(self.lasts * 1e9)
        self.order.append(arm)
        number = next(self.numbers)
        probe = int(PROBE * PROBE_SLOW * 1.1) if number in self.slow_probes else PROBE
        seconds = self.times[arm] * (1 + self.noise.gauss(0, self.wide))
        return Block(
            seconds=seconds, probe_times=(PROBE, probe), switches=int(number in self.switched)
        )

    def measure(self, seed: int = 1) -> Pairs:
        """Return the pairs of a session."""
        arms = {"a": lambda: self.take("a"), "b": lambda: self.take("b")}
        return measure_pairs(arms, Random(seed), lambda: self.now)  # noqa: S311


def test_blocks_come_as_abba_or_baab_by_a_coin() -> None:
    """So that what changes steadily falls on both arms alike; neither order is always taken."""
    bench = Bench()
    bench.wide = 0.05
    bench.measure()
    fours = {"".join(bench.order[at : at + 4]) for at in range(0, len(bench.order), 4)}
    assert fours == {"abba", "baab"}


def test_a_steady_drift_falls_on_both_arms() -> None:
    """Each block is 1 % slower than the last: without the order B would seem slower."""
    bench = Bench()
    drifting = bench.take

    def take(arm: str) -> Block:
        bench.times = {name: time * 1.01 for name, time in bench.times.items()}
        return drifting(arm)

    bench.take = take  # type: ignore[method-assign]
    pairs = bench.measure()
    ratios = pairs.ratios()
    assert len(ratios) >= FIRST_LOOK
    assert abs(sum(ratios) / len(ratios)) < 0.002


def test_the_ratio_is_that_of_b_over_a() -> None:
    """A B that takes a tenth longer."""
    pairs = Bench(a=1.0, b=1.1).measure()
    assert pairs.ratio() == pytest.approx(log(1.1))
    assert pairs.seconds() == pytest.approx((1.0, 1.1))


def test_clear_ratios_stop_at_the_first_look() -> None:
    """Sessions differ by more than a narrower interval would tell."""
    assert len(Bench().measure().a) == FIRST_LOOK


def test_wide_ratios_take_the_most_pairs_or_the_time() -> None:
    """Whichever comes first."""
    quick, slow = Bench(lasts=1e-4), Bench(lasts=20e-3)
    quick.wide = slow.wide = 0.1
    assert len(quick.measure().a) == MOST
    taken = slow.measure()
    assert FEWEST <= len(taken.a) < MOST
    assert slow.now * 1e-9 < SECONDS + 4 * slow.lasts


def test_slow_calls_get_the_fewest_pairs() -> None:
    """However long a block takes, there is a median."""
    assert len(Bench(lasts=1.0).measure().a) == 4


@pytest.mark.parametrize("by", ["slow_probes", "switched"])
def test_disturbed_pairs_are_marked_whole_and_left_out(by: str) -> None:
    """By the probe or by the system's own count, never by the time of a block."""
    bench = Bench()
    setattr(bench, by, frozenset({2}))
    bench.times = {"a": 1.0, "b": 1.0}
    pairs = bench.measure()
    assert pairs.marked() == [1]
    assert len(pairs.quiet()) == len(pairs.a) - 1
    assert not pairs.disturbed


def test_a_long_block_alone_marks_nothing() -> None:
    """Dropping by the operator's own time would flatter it."""
    pairs = Pairs()
    for seconds in (1.0, 1.0, 50.0, 1.0):
        quiet = Block(seconds=1.0, probe_times=(PROBE, PROBE))
        pairs.add(quiet, Block(seconds=seconds, probe_times=(PROBE, PROBE)))
    assert pairs.marked() == []
    assert max(pairs.ratios()) == pytest.approx(log(50))


def test_a_neighbor_who_stays_marks_nothing() -> None:
    """Both blocks of each pair are slowed alike."""
    pairs = Pairs()
    slow = int(PROBE * 2)
    for _ in range(FEWEST):
        pairs.add(*(Block(seconds=2.0, probe_times=(slow, slow)) for _ in "ab"))
    assert pairs.marked() == []


def test_an_operator_that_lowers_the_clock_marks_nothing() -> None:
    """The probe is slower after it than before it, in both arms."""
    pairs = Pairs()
    for _ in range(FEWEST):
        pairs.add(*(Block(seconds=2.0, probe_times=(PROBE, 2 * PROBE)) for _ in "ab"))
    assert pairs.marked() == []


def test_where_all_are_disturbed_all_count_and_the_session_says_so() -> None:
    """After twice the time; a time beside a neighbor is better than none, if it is labeled."""
    bench = Bench(lasts=10e-3)
    bench.slow_probes = frozenset(range(0, 10_000, 2))
    pairs = bench.measure()
    assert pairs.disturbed
    assert pairs.ratio() == pytest.approx(0.0)
    assert bench.now * 1e-9 >= 0.6
