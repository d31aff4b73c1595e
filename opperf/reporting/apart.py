"""Two runs taken apart in time, joined: what can be said of B against A, and what cannot.

Each run is one process, at another time. Two processes of the very same code differ by 1 to 2 %
(docs/method.md), and another moment adds what the machine did by then. So nothing here is ever
confirmed or equivalent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.core.status import TROUBLE
from opperf.reporting.pairing import IN_NOISE, ratio, ratio_range
from opperf.reporting.verdicts import Verdict
from opperf.reporting.wording import direction_text, given_text, operator_text, status_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.result import Result

CAUTION = (
    "The two runs were taken apart in time: a ratio holds the difference between two processes and "
    "two moments as well. Only measuring both in turns can confirm one."
)
APART = "taken apart in time, one process each"


@dataclass(frozen=True, kw_only=True)
class Joined:
    """The rows that both runs have, and how many only one has or that mean different things."""

    verdicts: tuple[Verdict, ...]
    only_a: int
    only_b: int
    not_comparable: int


def join(a: Sequence[Result], b: Sequence[Result]) -> Joined:
    """Return B against A by series key; of two results of one series the later stands."""
    before = {result.series_key: result for result in a}
    after = {result.series_key: result for result in b}
    common = [(before[key], after[key]) for key in before if key in after]
    same = [pair for pair in common if pair[0].definition_key == pair[1].definition_key]
    return Joined(
        verdicts=tuple(judge(one, other) for one, other in same),
        only_a=len(before) - len(common),
        only_b=len(after) - len(common),
        not_comparable=len(common) - len(same),
    )


def judge(a: Result, b: Result) -> Verdict:
    """Return what can be said of one row."""
    verdict, reason = words(a, b)
    found = ratio(a, b)
    return Verdict(
        operator=operator_text(a),
        framework=a.operator["framework"],
        direction=direction_text(a.operator["direction"]),
        size=a.operator.get("size"),
        inputs=given_text(a),
        a_seconds=a.seconds,
        b_seconds=b.seconds,
        ratio=found.value if found else None,
        interval=ratio_range(a, b) if found else None,
        verdict=verdict,
        confirmed=False,
        reason=reason,
    )


def words(a: Result, b: Result) -> tuple[str, str]:
    """Return the verdict and its reason."""
    if b.status == "wrong_result":
        return "wrong_result", b.reason or "wrong result in B"
    if b.status in TROUBLE and a.seconds is not None:
        return "newly_fails", b.reason or f"{status_words(b.status)} in B"
    if a.status in TROUBLE and b.seconds is not None:
        return "newly_works", f"{status_words(a.status)} in A"
    if a.seconds is None or b.seconds is None:
        return "undecided", f"A {status_words(a.status)}, B {status_words(b.status)}"
    return told_apart(a, b), APART


def told_apart(a: Result, b: Result) -> str:
    """Return the verdict on two times."""
    found = ratio(a, b)
    if "noisy" in (a.status, b.status):
        return "noisy"
    if found is None or found.judgement == IN_NOISE:
        return "undecided"
    return "slower" if found.value > 1 else "faster"
