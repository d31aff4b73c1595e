"""What our suite costs over the operators that MXNet's own opperf has too, on MXNet alone.

Run: ``.venv/bin/python benchmarks/suite_cost.py`` (about 25 minutes, on a quiet machine). It runs
`opperf run` as a user would, all directions at the typical size with default precision and one
thread, prints a table, and writes it into docs/lab/method.md. The peer's time is quoted, not
measured: it times each alias, at sizes of its own, and states no interval.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
import time
from datetime import datetime, timezone
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from accuracy import machine, software
from experiments.page import neighbors
from experiments.quiet import listen, slow

from opperf.core.configuration.file import parse_toml
from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.registry import find_framework
from opperf.reporting.estimate import clock_text
from opperf.reporting.wording import counts_text
from opperf.storing.reading import read
from opperf.storing.run_directory import RunDirectory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.results.result import Result

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "lab" / "method.md"
NAMES = ROOT / "docs" / "parity" / "names.toml"
PART = re.compile("(<!-- suite cost: begin .*?-->\n).*?(<!-- suite cost: end -->)", re.DOTALL)
PEER = 95 * 60
"""Seconds after which MXNet's opperf v1.9.1 with its defaults was stopped in its last category, on
a machine of the same kind: the least that it takes."""
SHARE = 4
"""Ours takes at most a quarter of the peer's time."""
MEASURED_IN_PART = (0, 11)
"""What `opperf run` ends with where it measured all that it could."""


class Cost(NamedTuple):
    """What a run took: seconds on the wall, its results and the circumstances."""

    seconds: float
    results: Sequence[Result]
    circumstances: Mapping[str, Any]


def main() -> int:
    """Run the suite, print and write what it took; return 0, 1 past the target, or its failure."""
    options = parse()
    names = shared_names()
    with TemporaryDirectory() as folder:
        cost = run(expression(names, options.filter), Path(folder))
    if isinstance(cost, int):
        return cost
    late = cost.seconds > PEER / SHARE
    aim = "of all only" if options.filter else "**missed**" if late else "met"
    lines = report(cost, len(names), aim)
    print("".join(lines))
    if page := options.page or (None if options.filter else PAGE):
        write(page, lines, shown_command(options.filter))
        print(f"written: {page}")
    return int(late)


def parse() -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("-k", dest="filter", metavar="FILTER", help="some of them only, as `opperf run` takes it")
    add("--page", type=Path, help="where the table goes; else docs/lab/method.md, of all only")
    return parser.parse_args()


def shared_names() -> Mapping[str, Sequence[str]]:
    """Return the peer's names and our operators of each, those that we have on MXNet."""
    known = {kind.name() for kind in find_framework("mxnet").table}
    peer = parse_toml(NAMES.read_text(encoding="utf-8"), NAMES.name)["mxnet_opperf"]
    return {name: ours for name, ours in peer.items() if known.issuperset(ours)}


def expression(names: Mapping[str, Sequence[str]], given: str | None) -> str:
    """Return the filter that selects our operators, of them what the user asked for."""
    ours = ", ".join(dict.fromkeys(name for found in names.values() for name in found))
    return f"name in ({ours})" + (f" and ({given})" if given else "")


def run(selection: str, folder: Path) -> Cost | int:
    """Run opperf on a selection; return what that took, or how it failed."""
    words = ["run", "--framework", "mxnet", "-k", selection]
    circumstances = {
        "machine": machine(),
        "software": software(),
        "began": datetime.now(timezone.utc).isoformat(sep=" ", timespec="minutes"),
    }
    # Options of the user's own, in the environment or a file, would not be the default ones.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OPPERF_")}
    environment = {**kept, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "opperf", *words]
    before, start = listen(), time.monotonic()
    ended = subprocess.run(command, check=False, cwd=folder, env=environment)
    seconds, after = time.monotonic() - start, listen()
    if ended.returncode not in MEASURED_IN_PART:
        print(f"opperf run ended with {ended.returncode}: nothing is written", file=sys.stderr)
        return ended.returncode
    results = read(RunDirectory.find(folder / "runs", "last").results_path).results
    heard = before, after
    others = {"slow_before": slow(before, heard), "slow_after": slow(after, heard)}
    return Cost(seconds, results, circumstances | others)


def report(cost: Cost, names: int, aim: str) -> list[str]:
    """Return the lines of the table.

    `names` is how many of the peer's names opperf has, `aim` whether the run met its target.
    """
    target = Settings().precision
    reached = [result.summary.precision for result in cost.results if result.summary]
    operators = {result.operator.name for result in cost.results}
    met = sum(precision <= target for precision in reached)
    count = len(cost.results)
    ended = counts_text(result.status for result in cost.results)
    figures = {
        "operators (of the peer's names that opperf has)": f"{len(operators)} ({names})",
        "rows: an operator in a direction": f"{count}: {ended}",
        "time": f"{clock_text(cost.seconds)} ({cost.seconds:.0f} s)",
        "time a row": f"{cost.seconds / count:.2f} s",
        f"rows within the precision asked for, {target:.1%}": f"{met} of {len(reached)}",
        "precision of the median row": f"{median(reached):.1%}" if reached else "none was timed",
        "aim: a quarter of the peer's time": f"{clock_text(PEER / SHARE)}, {aim}",
        "MXNet's opperf v1.9.1 with its defaults (quoted)": (
            f"more than {PEER // 60} minutes; stopped in its last category; no intervals"
        ),
    }
    facts = cost.circumstances
    where = f"{facts['machine']}; {facts['software']}; {facts['began']}"
    return [
        f"{where}. {neighbors(facts)}\n\n",
        "| what | seen |\n| --- | --- |\n",
        *(f"| {what} | {seen} |\n" for what, seen in figures.items()),
    ]


def shown_command(given: str | None) -> str:
    """Return the command as one types it."""
    return shlex.join(["python", "benchmarks/suite_cost.py", *(["-k", given] if given else [])])


def write(page: Path, lines: Sequence[str], command: str) -> None:
    """Put the table between the marks of a page, below the command that made it."""
    part = f"By `{command}`: " + "".join(lines)
    text = page.read_text(encoding="utf-8")
    text, places = PART.subn(lambda marks: marks[1] + part + marks[2], text)
    if not places:
        raise SystemExit(f"{page} has no place for the table: <!-- suite cost: begin --> and end")
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
