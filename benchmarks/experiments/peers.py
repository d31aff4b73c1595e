"""E3: what the rules of other tools say to the very same samples, and pyperf by itself."""

from __future__ import annotations

from importlib.util import find_spec
from statistics import mean
from typing import TYPE_CHECKING

import numpy as np

from experiments.finding import Figure, Finding, Table, percent
from experiments.pyperf_live import live
from experiments.streams import by_job, evidence_of, seconds_of
from opperf.comparing.campaign import Rules
from opperf.storing import PairJournal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from opperf.core.results.pair import Pair
    from opperf.core.tensors.tensor import Array

METHOD = """
The blocks that E1 and E2 have recorded are given to the rules by which other tools tell two runs
apart: one pair of processes, as their users have it, and all pairs together, which gives them our
time. False alarms are those at equal arms (E1's e = 0 and E2), power is at 3 and 5 % (E1). Rules:
pyperf a Student's t-test at 5 % on the samples of both runs; asv a Mann-Whitney U test at 0.2 % and
a factor of 1.1; google-benchmark's U test at 5 %; torch.utils.benchmark medians whose
inter-quartile ranges are disjoint; pytest-benchmark medians that differ by 5 %. Ours is `opperf
ab` with a smallest effect of 1 %, over 12 pairs. pyperf live times five calls itself, each three
times by `--fast`: the second run makes the same calls, the third 103 where it is divided by 100.
"""


def pyperf_rule(a: Array, b: Array) -> bool:
    """Return whether pyperf's compare_to would call them significantly different."""
    from scipy import stats

    return bool(stats.ttest_ind(a, b).pvalue < 0.05)


def asv_rule(a: Array, b: Array) -> bool:
    """Return whether `asv compare` would mark a change."""
    from scipy import stats

    ratio = float(np.median(b) / np.median(a))
    return bool(stats.mannwhitneyu(a, b).pvalue < 0.002) and (ratio > 1.1 or ratio < 1 / 1.1)


def google_rule(a: Array, b: Array) -> bool:
    """Return whether google-benchmark's compare.py would say that the samples differ."""
    from scipy import stats

    return bool(stats.mannwhitneyu(a, b).pvalue < 0.05)


def torch_rule(a: Array, b: Array) -> bool:
    """Return whether the inter-quartile ranges are disjoint."""
    (a25, a75), (b25, b75) = np.percentile(a, (25, 75)), np.percentile(b, (25, 75))
    return bool(a75 < b25 or b75 < a25)


def pytest_rule(a: Array, b: Array) -> bool:
    """Return whether --benchmark-compare-fail=median:5% would fail or improve."""
    ratio = float(np.median(b) / np.median(a))
    return ratio > 1.05 or ratio < 1 / 1.05


PEERS: dict[str, Callable[[Array, Array], bool]] = {
    "pyperf": pyperf_rule,
    "asv": asv_rule,
    "google-benchmark": google_rule,
    "torch.utils.benchmark": torch_rule,
    "pytest-benchmark": pytest_rule,
}


def run(work: Path, *, quick: bool) -> Finding:
    """Judge what E1 and E2 have left."""
    recorded = {
        name: read(work / f"{name}.jsonl") for name in ("E1-0%", "E1-3%", "E1-5%", "E2-idle")
    }
    lacking = "the records of E1 and E2" if not all(recorded.values()) else ""
    absent = [name for name in ("scipy", "pyperf") if not find_spec(name)]
    if absent and not lacking:
        lacking = f"{' and '.join(absent)}: pip install '.[dev,peers]'"
    if lacking:
        return Finding(
            name="E3", title="The rules of peers", method=METHOD, pending=lacking,
            circumstances={"quick": quick},
        )  # fmt: skip
    equal = recorded["E1-0%"] + recorded["E2-idle"]
    sets = [equal, recorded["E1-3%"], recorded["E1-5%"]]
    comparisons = len(by_job(equal))
    seconds = seconds_of(equal) / comparisons
    ours = [share_of_ours(pairs) for pairs in sets]
    own = live(work / "pyperf-live", pyperf_rule, quick=quick)
    alone = ("pyperf, live", "2 runs", [own.false_alarms, own.called], own.seconds)
    rivals = [*judged(sets, seconds), alone]
    better = [
        f"{name} ({label})"
        for name, label, shares, _ in rivals
        if shares[0] < ours[0] and shares[1] > ours[1]
    ]
    rows = [
        [name, label, *(percent(share, 1) for share in shares), *["-"] * (len(sets) - len(shares)),
         f"{cost:.2f}"]
        for name, label, shares, cost in [("opperf ab", "12 pairs", ours, seconds), *rivals]
    ]  # fmt: skip
    headers = ("rule", "samples", "false alarms", "called at 3 %", "called at 5 %", "seconds each")
    figure = Figure(
        what="peers with both fewer false alarms and more power at 3 %",
        figure=", ".join(better) or "none", target="none", met=not better,
    )  # fmt: skip
    return Finding(
        name="E3", title="The rules of peers", method=METHOD, figures=[figure],
        tables=[Table(caption="Calls", headers=headers, rows=rows)],
        notes=[f"comparisons of equal arms: {comparisons}"], circumstances={"quick": quick},
    )  # fmt: skip


def judged(
    sets: Sequence[Sequence[Pair]], seconds: float
) -> Iterator[tuple[str, str, list[float], float]]:
    """Yield each rule, the samples it is given, the share it calls of each set, and its seconds."""
    for name, rule in PEERS.items():
        for sessions, label in ((1, "1 pair"), (None, "all pairs")):
            shares = [share_of(rule, pairs, sessions) for pairs in sets]
            yield name, label, shares, seconds if sessions is None else seconds / 12


def read(path: Path) -> list[Pair]:
    """Return the pairs of a file, none where there is none."""
    if not path.exists():
        return []
    with PairJournal(path) as journal:
        return list(journal.found.results)


def share_of_ours(pairs: Sequence[Pair]) -> float:
    """Return the share of operators that we call slower or faster."""
    evidence = evidence_of(pairs, Rules(most=12, min_effect=0.01))
    verdicts = [evidence.judgment(key).verdict for key in by_job(pairs)]
    return mean(verdict in {"slower", "faster"} for verdict in verdicts)


def share_of(
    rule: Callable[[Array, Array], bool], pairs: Sequence[Pair], sessions: int | None
) -> float:
    """Return the share of operators that a rule calls different, on so many pairs or on all."""
    calls = []
    for group in by_job(pairs).values():
        chosen = group if sessions is None else group[:sessions]
        a, b = (
            np.concatenate([getattr(pair, name) for pair in chosen])
            for name in ("a_blocks", "b_blocks")
        )
        calls.append(rule(a, b))
    return mean(calls)
