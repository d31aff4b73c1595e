"""E2: A against A over all operators, with the machine as it is; nothing may be found."""

from __future__ import annotations

from math import exp
from statistics import mean, median, stdev
from typing import TYPE_CHECKING

from experiments.finding import Figure, Finding, Table, percent
from experiments.hundred import HUNDRED
from experiments.streams import by_job, evidence_of, record, recorded, select
from opperf.comparing.campaign import Rules
from opperf.comparing.signed_rank import interval

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from opperf.core.results.pair import Pair

METHOD = """
Both arms are the same interpreter: the hundred first operators of PyTorch, forward, at small and
typical, over 12 fresh pairs of processes, none left out. The smallest effect of interest is 2 %.
Coverage is the share of intervals at 12 sessions that hold 1.0.
"""
SESSIONS = 12
QUICK = "name in (Add, Exp, ReLU, Softmax, Sum, Dot, Conv2D, Sort) and direction=forward"
FULL = f"{HUNDRED} and direction=forward"
TARGETS = {"spread": (0.015, 0.03), "within": (0.8, 0.95)}


def run(work: Path, *, quick: bool) -> Finding:
    """Record what is missing and judge it."""
    return find("E2", "A against A", METHOD, work / "E2-idle.jsonl", quick=quick)


def find(name: str, title: str, method: str, path: Path, *, quick: bool) -> Finding:
    """Record what is missing in a file and judge all of it."""
    sessions = 6 if quick else SESSIONS
    pairs = record(path, select(QUICK if quick else FULL), sessions)
    figures, table = judge(pairs, sessions)
    return Finding(
        name=name, title=title, method=method, figures=figures, tables=[table],
        notes=[recorded(pairs)], circumstances={"quick": quick},
    )  # fmt: skip


def judge(pairs: Sequence[Pair], sessions: int) -> tuple[list[Figure], Table]:
    """Return what was called of equal arms, and how wide the intervals are."""
    jobs = by_job(pairs)
    evidence = evidence_of(pairs, Rules(most=sessions))
    verdicts = [evidence.judgment(key).verdict for key in jobs]
    called = mean(verdict in {"slower", "faster"} for verdict in verdicts)
    intervals = [found for group in jobs.values() if (found := interval(ratios(group)))]
    covered = mean(low <= 0 <= high for low, high in intervals)
    half = median((exp(high) - exp(low)) / 2 for low, high in intervals)
    different = 1 - covered
    figures = [
        limit("called slower or faster", called, 0.01),
        limit("intervals that exclude 1.0", different, 0.05),
        Figure(what="coverage of 1.0", figure=percent(covered, 1), target=">= 93 %",
               met=covered >= 0.93),
        limit(f"half-width at {sessions} sessions, median", half, 0.015),
        *spread_figures(pairs),
    ]  # fmt: skip
    counts = {verdict: verdicts.count(verdict) for verdict in dict.fromkeys(verdicts)}
    rows = [[verdict, str(count)] for verdict, count in sorted(counts.items())]
    return figures, Table(caption="Verdicts", headers=("verdict", "operators"), rows=rows)


def spread_figures(pairs: Sequence[Pair]) -> list[Figure]:
    """Return how far sessions spread: a figure of issue 4's for each size."""
    figures = []
    for size in ("small", "typical"):
        spreads = [
            stdev(ratios(group))
            for group in by_job([pair for pair in pairs if pair.operator.size == size]).values()
            if len(group) > 1
        ]
        if not spreads:
            continue
        shares = [mean(sd <= bound for sd in spreads) for bound in TARGETS["spread"]]
        text = ", ".join(
            f"{percent(share, 0)} within {percent(bound, 1)}"
            for share, bound in zip(shares, TARGETS["spread"], strict=True)
        )
        figures.append(
            Figure(what=f"spread between sessions, {size}",
                   figure=f"median {percent(median(spreads))}; {text}")
        )  # fmt: skip
    return figures


def ratios(pairs: Sequence[Pair]) -> list[float]:
    """Return the logarithms of the ratios of the sessions."""
    return [pair.ratio for pair in pairs if pair.ratio is not None]


def limit(what: str, share: float, most: float) -> Figure:
    """Return a figure that is to be small."""
    met = share <= most
    return Figure(what=what, figure=percent(share), target=f"<= {percent(most, 1)}", met=met)
