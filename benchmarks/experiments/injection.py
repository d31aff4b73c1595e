"""E1: an arm that makes 1, 3 or 5 % more iterations than it is divided by; is it called slower?"""

from __future__ import annotations

from math import expm1, log1p
from statistics import mean, median, stdev
from typing import TYPE_CHECKING

from experiments.finding import Figure, Finding, Table, percent
from experiments.hundred import HUNDRED
from experiments.streams import by_job, evidence_of, record, recorded, rounded, select
from opperf.comparing.campaign import Rules
from opperf.comparing.signed_rank import center

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from opperf.core.results.pair import Pair

METHOD = """
In arm B a block makes L (1 + e) iterations of the same operator and is divided by L, so that the
ratio is exactly 1 + e; L is a multiple of 200. Of the hundred first operators of PyTorch, and all
that compare, decide or round, those at small that take 20 us at most, e in 0, 1, 3 and 5 %, each
with fresh pairs of processes. The smallest effect of interest is 1 %. The share called is told of
operators whose sessions spread by 1.4 % at most, at e = 0.
"""
EFFECTS = (0.0, 0.01, 0.03, 0.05)
MIN_EFFECT, SESSIONS = 0.01, 12
LONGEST = 20e-6
STEADY = 0.014
FEWEST_STEADY = 0.7
MOST_BIAS = 0.001
ASKED = {0.03: 0.9, 0.05: 0.99}
SHORT = "category in (comparison, logical, rounding)"
QUICK = "name in (Add, Exp, ReLU, Softmax, Sum, Dot) and direction=forward"
FULL = f"{HUNDRED} and direction in (forward, backward) or {SHORT} and direction=forward"


def run(work: Path, *, quick: bool) -> Finding:
    """Record what is missing and judge it."""
    jobs = select(QUICK if quick else FULL, ("small",))
    sessions = 6 if quick else SESSIONS
    first = record(work / "E1-first.jsonl", jobs, 1)
    short = {pair.key for pair in first if pair.a_seconds and pair.a_seconds <= LONGEST}
    chosen = [job for job in jobs if job.key in short]
    plans = rounded(first)
    found = {
        effect: record(
            work / f"E1-{effect:.0%}.jsonl", chosen, sessions, plans=plans, stretch=1 + effect
        )
        for effect in EFFECTS
    }
    return judge(found, quick=quick)


def judge(found: Mapping[float, Sequence[Pair]], *, quick: bool) -> Finding:
    """Return what share of each effect was called, and how far the estimates are off."""
    spreads = {
        key: stdev(pair.ratio or 0.0 for pair in pairs)
        for key, pairs in by_job(found[0.0]).items()
        if len(pairs) > 1
    }
    steady = {key for key, spread in spreads.items() if spread <= STEADY}
    share = len(steady) / len(spreads)
    figures = [
        Figure(
            what=f"operators whose sessions spread by {percent(STEADY, 1)} at most",
            figure=percent(share, 0), target=f">= {percent(FEWEST_STEADY, 0)}",
            met=share >= FEWEST_STEADY,
        )
    ]  # fmt: skip
    rows = []
    for effect, pairs in found.items():
        called, wrong, bias = outcome(pairs, effect, steady)
        rows.append(
            [percent(effect, 0), str(len(by_job(pairs))), percent(called, 1), percent(wrong, 1),
             percent(bias, 3)]
        )  # fmt: skip
        if effect in ASKED:
            asked = ASKED[effect]
            figures.append(
                Figure(what=f"{percent(effect, 0)} slower: called, of the steady ones",
                       figure=percent(called, 1), target=f">= {percent(asked, 0)}",
                       met=called >= asked)
            )  # fmt: skip
        figures.append(
            Figure(what=f"{percent(effect, 0)} slower: bias of the ratio", figure=percent(bias, 3),
                   target=f"<= {percent(MOST_BIAS, 1)}", met=abs(bias) <= MOST_BIAS)
        )  # fmt: skip
    rest = [spread for key, spread in spreads.items() if key not in steady]
    notes = [
        recorded([pair for pairs in found.values() for pair in pairs]),
        f"spread between sessions, median: {percent(median(spreads.values()))}",
    ]
    if rest:
        notes.append(f"the {len(rest)} others: {percent(min(rest), 1)} to {percent(max(rest), 1)}")
    table = Table(
        caption="Calls", rows=rows,
        headers=("added", "comparisons", "called slower (steady)", "called faster", "bias"),
    )  # fmt: skip
    return Finding(
        name="E1", title="Injected changes", method=METHOD, figures=figures, tables=[table],
        notes=notes, circumstances={"quick": quick},
    )  # fmt: skip


def outcome(pairs: Sequence[Pair], effect: float, steady: set[str]) -> tuple[float, float, float]:
    """Return the shares called slower (of the steady) and faster (of all), and the bias."""
    rules = Rules(most=SESSIONS, min_effect=MIN_EFFECT)
    evidence = evidence_of(pairs, rules)
    jobs = by_job(pairs)
    verdicts = {key: evidence.judgment(key).verdict for key in jobs}
    slower = [verdicts[key] == "slower" for key in jobs if key in steady]
    faster = [verdict == "faster" for verdict in verdicts.values()]
    off = [center([p.ratio or 0.0 for p in group]) - log1p(effect) for group in jobs.values()]
    return mean(slower) if slower else 0.0, mean(faster), expm1(median(off))
