"""Rounds of blocks without a process: drift, arms that fail, and when enough pairs are taken."""

from __future__ import annotations

from functools import partial
from math import log
from random import Random

import pytest

from opperf.comparing.pairs.blocks import FIRST_LOOK, SECONDS, Block, Pairs
from opperf.comparing.pairs.process import Failed
from opperf.comparing.rounds.blocks import measure_rounds
from opperf.comparing.rounds.design import orders

PROBE = 50_000


class Table:
    """Arms on a clock of their own; a block lasts as long as it says."""

    def __init__(self, lasts: float = 1e-3, drift: float = 1.0, **times: float) -> None:
        self.now, self.lasts, self.drift, self.times = 0, lasts, drift, times
        self.order: list[str] = []
        self.failures: list[Failed] = []
        self.fails: dict[str, int] = {}

    def take(self, arm: str) -> Block:
        """Take a block of an arm, unless it fails by now."""
        self.now += int(self.lasts * 1e9)
        self.order.append(arm)
        if self.order.count(arm) >= self.fails.get(arm, 10**9):
            raise Failed(arm, "crashed", "SIGSEGV")
        self.times = {name: time * self.drift for name, time in self.times.items()}
        return Block(seconds=self.times[arm], probe_times=(PROBE, PROBE), switches=0)

    def measure(self) -> dict[str, Pairs]:
        """Return the pairs of a session with the first arm."""
        arms = {name: partial(self.take, name) for name in self.times}
        rounds = orders([*arms], 1, Random(1))  # noqa: S311 - no secret
        reference = next(iter(arms))
        return measure_rounds(arms, reference, rounds, lambda: self.now, self.failures.append)


def test_each_arm_is_compared_with_the_reference() -> None:
    """By the blocks of the same half of a round; clear ratios stop at the first look."""
    table = Table(ref=1.0, same=1.0, slow=1.1, fast=0.8)
    found = table.measure()
    assert {name: pairs.ratio() for name, pairs in found.items()} == pytest.approx(
        {"same": 0.0, "slow": log(1.1), "fast": log(0.8)}
    )
    assert {len(pairs.a) for pairs in found.values()} == {FIRST_LOOK}
    assert len(table.order) == FIRST_LOOK * 4


@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_a_steady_drift_falls_on_all_arms(count: int) -> None:
    """Each block is 0.3 % slower than the last one."""
    table = Table(drift=1.003, **{f"arm{number}": 1.0 for number in range(count)})
    for pairs in table.measure().values():
        ratios = pairs.ratios()
        assert abs(sum(ratios) / len(ratios)) < 1e-9


def test_an_arm_that_fails_is_left_out_and_the_others_go_on() -> None:
    """In the middle of a round; whoever is left has all of its pairs."""
    table = Table(ref=1.0, bad=1.0, slow=1.1)
    table.fails["bad"] = 4
    found = table.measure()
    assert [*found] == ["slow"]
    assert len(found["slow"].a) == len(found["slow"].b) >= FIRST_LOOK
    assert [failure.arm for failure in table.failures] == ["bad"]
    assert table.order.count("bad") == 4


def test_without_the_reference_nothing_is_left() -> None:
    """There is nothing to compare the others with."""
    table = Table(ref=1.0, one=1.0, other=1.0)
    table.fails["ref"] = 2
    assert table.measure() == {}
    assert [failure.arm for failure in table.failures] == ["ref"]


def test_more_arms_get_as_much_more_time() -> None:
    """A session of two arms ends after the same time for each."""
    few, many = (
        Table(lasts=20e-3, **{str(number): 1.0 for number in range(count)}) for count in (2, 8)
    )
    for table in (few, many):
        table.take = partial(noisy, table, table.take, Random(1))  # type: ignore[method-assign] # noqa: S311
    pairs = [next(iter(table.measure().values())) for table in (few, many)]
    assert len(pairs[0].a) == len(pairs[1].a)
    assert few.now * 1e-9 < SECONDS + 4 * few.lasts


def noisy(table: Table, take: object, chance: Random, arm: str) -> Block:
    """Return a block whose time is off by a tenth."""
    table.times[arm] = 1 + chance.gauss(0, 0.1)
    return take(arm)  # type: ignore[operator,no-any-return]
