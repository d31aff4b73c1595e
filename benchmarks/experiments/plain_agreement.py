"""E6P, agreement as a user sees it: `opperf run --plain` and a Timer in a plain Python."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import defaultdict
from math import exp, log
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from experiments.agreement import HEADERS as COLUMNS
from experiments.agreement import OPERATORS, WIDER, Case, row, share_within, spread
from experiments.finding import Figure, Finding, Table, percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SIZES = ("small", "typical")
ROUNDS, SECONDS = 4, 0.2
CLOSE = 0.02
SHORT = 10e-6
"""Seconds below which the reference includes its own loop, 40 to 60 ns a call."""

METHOD = """\
Half of E6's operators are measured by the command `opperf run --plain`, and by
`torch.utils.benchmark.Timer.blocked_autorange` in a Python process that sets nothing up, each in
fresh processes, in turns, for as long as each other. Neither is kept to a processor. A case's gap
is the median over the rounds of the logarithm of the ratio of adjacent ones. Two plain processes of
the same code differ by more than the tools do (method.md, "Between processes"), so that the median
over the cases is asked to be right; the spread of each tool's rounds stands beside it."""


def run(quick: bool) -> Finding:
    """Alternate both tools over all cases."""
    names, rounds = (OPERATORS[::10], 2) if quick else (OPERATORS[::2], ROUNDS)
    times: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for number in range(rounds):
        for tool in ("opperf", "timer") if number % 2 else ("timer", "opperf"):
            asked = random.sample(names, len(names))
            found = by_opperf(asked) if tool == "opperf" else by_timer(asked)
            for case, seconds in found.items():
                times[case][tool].append(seconds)
    cases = [
        Case(name=case.replace(":", ", "), ours=found["opperf"], theirs=found["timer"])
        for case, found in sorted(times.items())
        if len(found["opperf"]) == len(found["timer"]) == rounds
    ]
    return finding(cases)


def by_timer(names: Sequence[str]) -> Mapping[str, float]:
    """Return the seconds by case that the reference finds in a fresh process."""
    cases = [f"{name}:{size}" for size in SIZES for name in names]
    command = [sys.executable, "-m", "experiments.plain_timer", str(SECONDS), *cases]
    said = subprocess.run(command, check=True, capture_output=True)
    found: Mapping[str, float] = json.loads(said.stdout.splitlines()[-1])
    return found


def by_opperf(names: Sequence[str]) -> Mapping[str, float]:
    """Return the seconds by case that the command finds."""
    chosen = f"name in ({', '.join(names)}) and direction=forward"
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "opperf", "run", "--plain", "-k", chosen]
        command += ["--framework", "pytorch", "--size", ",".join(SIZES), "--budget", str(SECONDS)]
        command += ["--runs-dir", folder, "--format", "json", "--quiet", "--exit-zero"]
        said = subprocess.run(command, check=True, capture_output=True)
    rows = json.loads(said.stdout)
    return {
        f"{row['operator']}:{row['size']}": row["seconds"]
        for row in rows
        if row["seconds"] and row["fused"] is not False
    }


def finding(cases: Sequence[Case]) -> Finding:
    """Return what the cases show; short calls stand apart."""
    judged = [case for case in cases if median(case.theirs) >= SHORT]
    short = [case for case in cases if median(case.theirs) < SHORT]
    middle = median(case.gap for case in judged)
    headline = Figure(
        what=f"median ratio less one, {len(judged)} cases of 10 us and more",
        figure=percent(exp(middle) - 1),
        target=f"<= {percent(CLOSE, 0)}",
        met=abs(middle) <= log(1 + CLOSE),
    )
    return Finding(
        name="E6P",
        title="Agreement with a Timer in a plain process",
        method=METHOD,
        figures=[headline, *described(judged, "10 us and more"), *described(short, "shorter")],
        tables=[Table(caption="Cases", headers=COLUMNS, rows=[row(case) for case in cases])],
    )


def described(cases: Sequence[Case], label: str) -> list[Figure]:
    """Return the figures without a target."""
    if not cases:
        return [Figure(what=label, figure="none")]
    ours, theirs = (median(spread(getattr(c, tool)) for c in cases) for tool in ("ours", "theirs"))
    middle = median(case.gap for case in cases)
    return [
        Figure(what=f"{label}: median ratio less one", figure=percent(exp(middle) - 1)),
        Figure(what=f"{label}: share within 3 %", figure=percent(share_within(cases, WIDER), 0)),
        Figure(what=f"{label}: spread of opperf's rounds, median", figure=percent(ours)),
        Figure(what=f"{label}: spread of the reference's rounds, median", figure=percent(theirs)),
    ]
