"""E2N: the same as E2 beside a neighbor who computes in 30 % of the time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from experiments.equal_arms import find
from experiments.neighbor import noisy_neighbor

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.finding import Finding

METHOD = """
As E2, while a process on the measuring core computes in 30 % of windows of 50 ms, by a coin.
"""


def run(work: Path, *, quick: bool) -> Finding:
    """Record what is missing and judge it."""
    with noisy_neighbor():
        path = work / "E2-neighbor.jsonl"
        return find("E2N", "A against A beside a neighbor", METHOD, path, quick=quick)
