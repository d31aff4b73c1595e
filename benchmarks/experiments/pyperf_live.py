"""E3's live part: pyperf compares two runs of its own, of equal calls and of 3 % more of them."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from experiments.pyperf_run import run_pyperf

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from opperf.core.tensors.tensor import Array

CALLS = ("add 64x64", "exp 64x64", "matrix product 64x64", "softmax 64x64", "sort 1000")
RUNS = {"a": 0, "equal": 0, "slower": 3}
"""Each call's runs, and how many calls each makes for 100 more than it is divided by."""


@dataclass(frozen=True, kw_only=True)
class Live:
    """Shares of the calls that pyperf finds different, and its seconds for a comparison."""

    false_alarms: float
    called: float
    seconds: float


def live(folder: Path, rule: Callable[[Array, Array], bool], *, quick: bool) -> Live:
    """Run what is not in the folder yet, and say what pyperf's rule makes of it."""
    folder.mkdir(parents=True, exist_ok=True)
    alarms, called, seconds = [], [], []
    for call in CALLS[:1] if quick else CALLS:
        runs = {name: values(folder, call, name, extra) for name, extra in RUNS.items()}
        alarms.append(rule(runs["a"][0], runs["equal"][0]))
        called.append(rule(runs["a"][0], runs["slower"][0]))
        seconds += [2 * took for _, took in runs.values()]
    return Live(false_alarms=mean(alarms), called=mean(called), seconds=mean(seconds))


def values(folder: Path, call: str, name: str, extra: int) -> tuple[Array, float]:
    """Return the values of a run and the seconds that it took; it is made where it is not there."""
    import pyperf

    path = folder / f"{call.replace(' ', '-')}-{name}.json"
    took = path.with_suffix(".seconds")
    if not took.exists():
        path.unlink(missing_ok=True)
        began = perf_counter()
        run_pyperf(call, path, "--fast", "--extra", str(extra))
        took.write_text(f"{perf_counter() - began:.3f}")
    found = pyperf.Benchmark.load(str(path)).get_values()
    return np.asarray(found), float(took.read_text())
