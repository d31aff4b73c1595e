"""What is said of several arms, where the truth is known: equal arms, and one that is slower."""

from __future__ import annotations

from collections import Counter
from itertools import count
from math import log1p
from random import Random
from typing import TYPE_CHECKING

import pytest
from msgspec import structs

from opperf.comparing.campaign import CONFIRMING, Rules
from opperf.comparing.rounds.evidence import ArmsEvidence
from opperf.comparing.total import Total
from opperf.core.results.pair import ARM_SCHEMA

if TYPE_CHECKING:
    from tests.comparing.conftest import MakePair

NAMES = ("ref", "one", "other")
SPREAD = 0.014
"""Between sessions, of a ratio: by half of it the reference is off, which all arms share."""


def compare(make_pair: MakePair, chance: Random, **shifts: float) -> ArmsEvidence:
    """Return a comparison of an operator that is carried out until every verdict stands."""
    evidence = ArmsEvidence.of(Rules(), NAMES)
    first, numbers = make_pair(0.0), count(1)
    half = SPREAD / 2**0.5
    for purpose, most in (("comparison", 24), ("confirmation", CONFIRMING)):
        for _ in range(most):
            wanted = [
                name
                for name in evidence.contenders
                if getattr(evidence.by_arm[name], f"wants_{purpose}")(first.key)
            ]
            number, shared = next(numbers), chance.gauss(0, half)
            for name in wanted:
                ratio = shifts.get(name, 0.0) + chance.gauss(0, half) - shared
                evidence.add([
                    structs.replace(
                        first, schema=ARM_SCHEMA, arm=name, ratio=ratio, session=number,
                        purpose=purpose,
                    )
                ])  # fmt: skip
    return evidence


def test_equal_arms_are_called_no_more_often_than_is_said(make_pair: MakePair) -> None:
    """A against A and A: of 2 arms in 300 comparisons, by the rate that the table states."""
    chance = Random(7)  # noqa: S311 - no secret
    rows = [row for _ in range(300) for row in compare(make_pair, chance).rows()]
    total = Total(rows)
    calls = Counter(row.verdict for row in rows)
    assert len(total.varying) == 600
    assert calls["slower"] + calls["faster"] <= total.false_calls()
    assert calls["different"] <= 0.05 * len(rows)
    assert calls["equivalent"] > 0.85 * len(rows)
    ends = [row.interval or (0.0, 0.0) for row in rows]
    assert sum(not low <= 1 <= high for low, high in ends) <= 0.05 * len(rows)


@pytest.mark.parametrize("shift", [0.06, -0.06])
def test_the_arm_that_differs_is_found_and_no_other(make_pair: MakePair, shift: float) -> None:
    """By a factor of 1.06, either way: its interval holds it, in 19 of 20 at least."""
    chance, hits, inside = Random(11), 0, 0  # noqa: S311 - no secret
    for _ in range(60):
        rows = {row.arm: row for row in compare(make_pair, chance, other=log1p(shift)).rows()}
        assert rows["one"].verdict not in {"slower", "faster"}
        hits += rows["other"].verdict == ("slower" if shift > 0 else "faster")
        low, high = rows["other"].interval or (0.0, 0.0)
        inside += low <= 1 + shift <= high
        if rows["other"].verdict == "slower":
            assert rows["other"].confirmed
    assert hits >= 57
    assert inside >= 55


def test_an_arm_that_is_settled_takes_no_more_sessions(make_pair: MakePair) -> None:
    """The other one goes on alone."""
    evidence = compare(make_pair, Random(3), other=log1p(0.03))  # noqa: S311 - no secret
    rows = {row.arm: row.sessions for row in evidence.rows()}
    assert rows["one"] < rows["other"]
