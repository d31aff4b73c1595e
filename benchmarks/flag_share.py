"""How many default rows come out unreliable, by framework, and what a run takes.

Run: ``.venv/bin/python benchmarks/flag_share.py`` (three minutes; ``--core``: what `make run`
measures instead). Twelve core operators in three directions, small and typical, on each framework
in a run of its own, by `opperf run`. Shares are those of the rows with a time, at first and once
the unreliable ones were measured a second time. It is a development tool: which rows are unreliable
is a matter of the machine, so that no test asserts it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from opperf.core.results.reading import from_mapping
from opperf.core.results.superseding import counting
from opperf.storing import read_records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.results.result import Result

NAMES = (
    "Add, Exp, ReLU, Sum, Softmax, Dot, Dense, Conv2D, BatchNorm, LayerNorm, MaxPool2D, Transpose"
)
DIRECTIONS = "direction in (forward, backward, forward_backward)"
TWELVE = ("--size", "small,typical", "-k", f"name in ({NAMES}) and {DIRECTIONS}")
CORE = ("-k", "tag=core")


def main(arguments: Sequence[str]) -> None:
    """Measure and print a line a framework."""
    made = argparse.ArgumentParser(description="the share of unreliable rows")
    made.add_argument("--core", action="store_true", help="what `make run` measures, in one run")
    made.add_argument("--options", default="", help="further options of `opperf run`")
    chosen = made.parse_args(arguments)
    runs = ["mxnet,pytorch"] if chosen.core else ["mxnet", "pytorch"]
    print("| run | rows with a time | noisy at first | noisy in the end | above 2 % | time |")
    print("|---|---|---|---|---|---|")
    for frameworks in runs:
        options = (*(CORE if chosen.core else TWELVE), *chosen.options.split())
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            measure(frameworks, [*options, "--runs-dir", folder])
            seconds = time.monotonic() - began
            (path,) = Path(folder).glob("*/results.jsonl")
            results = read_records(path, from_mapping).results
        for name in frameworks.split(","):
            own = [result for result in results if result.operator.framework == name]
            print(line(f"{name} of {frameworks}" if chosen.core else name, own, seconds))


def measure(frameworks: str, options: Sequence[str]) -> None:
    """Run `opperf run`, whatever becomes of its rows."""
    command = [sys.executable, "-m", "opperf", "run", "--framework", frameworks, "--quiet"]
    subprocess.run([*command, "--exit-zero", *options], stdout=subprocess.DEVNULL, check=True)


def line(name: str, results: Sequence[Result], seconds: float) -> str:
    """Return a framework's line of the table."""
    first = [each for each in results if each.supersedes is None and each.seconds is not None]
    last = [each for each in counting(results) if each.seconds is not None]
    widths = [(each.summary or {})["precision"] or 1.0 for each in last]
    wide = sum(width > 0.02 for width in widths)
    shares = " | ".join(share(rows) for rows in (first, last))
    typical = f"{wide}, median {median(widths):.1%}"
    return f"| {name} | {len(last)} | {shares} | {typical} | {seconds:.0f} s |"


def share(rows: Sequence[Result]) -> str:
    """Return how many rows are unreliable, also as a share."""
    noisy = Counter(each.status for each in rows)["noisy"]
    return f"{noisy} ({noisy / max(len(rows), 1):.0%})"


if __name__ == "__main__":
    main(sys.argv[1:])
