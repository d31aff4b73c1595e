"""The verdict on one operator: what may be said of B against A, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, exp, log, log1p
from typing import TYPE_CHECKING

from opperf.comparing.signed_rank import FEWEST, center, interval

if TYPE_CHECKING:
    from collections.abc import Sequence

VERDICTS = (
    "newly_fails", "wrong_result", "slower", "worse", "newly_works", "faster", "better",
    "different", "undecided", "noisy", "no_value", "fails", "unsupported", "skipped", "equivalent",
)  # fmt: skip
"""What can be said of an operator, what asks for attention first; `fails`: it works in neither.

`worse` and `better` are of another metric than the time; `no_value`: an arm has none of it, which
is no verdict on either. Nor is it that an arm's framework has no such operator (`unsupported`) or
that there is no memory for it (`skipped`), where a network's calls are compared.
"""
WORSE, BETTER = ("slower", "worse"), ("faster", "better")
DECIDED = (*WORSE, *BETTER, "equivalent")
"""The verdicts at which no further session is needed."""
MIN_EFFECT = 0.02
"""The smallest change of interest, unless asked otherwise."""
WIDEST = 0.05
"""Half-width of the interval above which a ratio is noise."""
MOST_FORESEEN = 1000


def is_narrow(ends: tuple[float, float] | None) -> bool:
    """Return whether there is an interval of a ratio, and it is no noise.

    Means take such ratios only. The width alone decides: what is in the interval would bias them.
    """
    return ends is not None and ends[0] > 0 and log(ends[1]) - log(ends[0]) <= 2 * WIDEST


@dataclass(frozen=True, kw_only=True)
class Judgment:
    """A ratio of B over A over so many sessions, its interval, and the verdict with its reason.

    In `disturbed` of the sessions a neighbor came and went beside almost all pairs. That falls on
    both arms alike, as the coin has it, so that the interval tells; it decides nothing.

    Of another metric than the time there is the `difference` as well, which was judged where it is
    `by_difference`, then with `bounds`; `exact` ones were the same in all sessions.
    """

    verdict: str
    sessions: int
    disturbed: int = 0
    ratio: float | None = None
    interval: tuple[float, float] | None = None
    reason: str | None = None
    difference: float | None = None
    bounds: tuple[float, float] | None = None
    by_difference: bool = False
    exact: bool = False


def judge(ratios: Sequence[float], disturbed: int, min_effect: float) -> Judgment:
    """Return the verdict on an operator that works in both arms.

    Args:
        ratios: the logarithm of the ratio of B over A of each session.
        disturbed: how many of the sessions had too few undisturbed pairs.
        min_effect: the smallest change of interest, a fraction.

    """
    if not ratios:
        return Judgment(verdict="undecided", sessions=0, reason="no session was completed")
    found, middle = interval(ratios), center(ratios)
    verdict, reason = decide(found, middle, len(ratios), min_effect)
    return Judgment(
        verdict=verdict,
        sessions=len(ratios),
        ratio=exp(middle),
        interval=None if found is None else (exp(found[0]), exp(found[1])),
        reason=reason,
        disturbed=disturbed,
    )


def decide(
    ends: tuple[float, float] | None, middle: float, sessions: int, min_effect: float
) -> tuple[str, str | None]:
    """Return the verdict of an interval of logarithms, and a reason where it is no decision."""
    if ends is None:
        return "undecided", f"fewer than {FEWEST} sessions: there is no interval of 95 %"
    low, high = ends
    delta = log1p(min_effect)
    decided = {
        "slower": low > delta,
        "faster": high < -delta,
        "equivalent": -delta < low and high < delta,
    }
    for verdict, holds in decided.items():
        if holds:
            return verdict, None
    further = forecast(ends, middle, sessions, delta)
    if low > 0 or high < 0:
        return "different", f"not shown to be beyond {100 * min_effect:.3g} %: {further}"
    if (high - low) / 2 > WIDEST:
        return "noisy", f"the interval is wider than {100 * WIDEST:.0f} % to either side"
    return "undecided", further


def forecast(ends: tuple[float, float], middle: float, sessions: int, delta: float) -> str:
    """Return how many further sessions it would take, if the width shrinks as their root grows."""
    half, room = (ends[1] - ends[0]) / 2, abs(abs(middle) - delta)
    needed = sessions * (half / room) ** 2 if room > 0 else float("inf")
    if needed > MOST_FORESEEN:
        return "too near to the smallest effect of interest to tell"
    return f"about {max(ceil(needed) - sessions, 1)} more sessions"


def judge_statuses(
    a: Sequence[str], b: Sequence[str], most: int = MOST_FORESEEN
) -> tuple[str, str] | None:
    """Return verdict and reason where an arm failed, None where times decide.

    Args:
        a: how each session ended in arm A; "ok" where it was measured.
        b: the same in arm B.
        most: how many sessions there can be.

    A wrong result needs no second look. Anything else has to happen twice, in fresh processes:
    once may be the machine's fault. Where a session found no time nothing failed.
    Where there is one session only, it is all that can be said.
    """
    needed = min(RETRIES, most)
    for arm, statuses in (("a", a), ("b", b)):
        if "wrong_result" in statuses:
            return "wrong_result", f"arm {arm} computes something else than the reference"
    broken_a, broken_b = (sum(status not in UNBROKEN for status in arm) for arm in (a, b))
    if broken_a >= needed and broken_b >= needed:
        return "fails", f"in both arms: {worst(a)}"
    if broken_b >= needed:
        return "newly_fails", f"{worst(b)} in arm b, {TIMES[needed]}"
    if broken_a >= needed:
        return "newly_works", f"{worst(a)} in arm a, {TIMES[needed]}"
    return None


RETRIES = 2
UNBROKEN = ("ok", "no_time")
TIMES = {1: "in the only session", 2: "twice"}


def worst(statuses: Sequence[str]) -> str:
    """Return the first status that is trouble."""
    return next(status for status in statuses if status not in UNBROKEN)
