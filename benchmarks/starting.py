"""How long until opperf is there: starts in turns, of this tree and of others.

    python benchmarks/starting.py 10
    python benchmarks/starting.py 10 before=/tmp/before after=.

A tree is a folder that has opperf/. All commands run once a round, so that what else the machine
does falls on all alike; the least and the median of the rounds are printed, as seconds from the
start to the end and as seconds of processors, and of verbs that measure to their first line, in a
pipe. Modules are compiled in a round before the first, as an installation has compiled them,
whatever PYTHONDONTWRITEBYTECODE says. A round takes 10 to 20 s.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

ROWS = """
import io, json
from msgspec.structs import replace
from opperf.core.results.reading import from_mapping
from opperf.reporting.table import table
import sys, time
sys.path.insert(0, sys.argv[1])
from tests.readers.documents import record
one = from_mapping(record())
rows = [replace(one, operator=replace(one.operator, name=f"Op{n}"), result_id=f"{n:032x}")
        for n in range(3000)]
began, before = time.monotonic(), time.process_time()
assert len(table(rows, 160).splitlines()) > 3000
print(time.monotonic() - began, time.process_time() - before)
"""
EMPTY_TEST = "def test_nothing():\n    pass\n"
COMMANDS = {
    "python alone": ["-c", "pass"],
    "import opperf": ["-c", "import opperf"],
    "opperf --help": ["-m", "opperf", "--help"],
    "opperf list": ["-m", "opperf", "list"],
    "pytest -p no:opperf": ["-m", "pytest", "-q", "-p", "no:opperf", "test_nothing.py"],
    "pytest": ["-m", "pytest", "-q", "test_nothing.py"],
}
FIRST_LINES = {
    "run": ["run", "--nothing"], "ab": ["ab", "--nothing"], "model": ["model", "--nothing"],
    "task": ["task", "--nothing"], "method": ["method", "--nothing"],
    "spec": ["spec", "--nothing"], "run --calls": ["run", "--calls", "none.json"],
    "follow": ["follow", "--nothing"], "bisect": ["bisect", "--nothing"],
}  # fmt: skip
"""Each is refused in the end, so that nothing is measured."""


def start(words: list[str], tree: Path, folder: str) -> tuple[float, float]:
    """Return the seconds that a process took, and those of processors."""
    before, began = used(), time.monotonic()
    subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=environment(tree, folder),
        capture_output=True,
        check=True,
    )
    return time.monotonic() - began, used() - before


def first_line(words: list[str], tree: Path, folder: str) -> float:
    """Return the seconds from a process's start to its first line."""
    began = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-m", "opperf", *words], cwd=folder, env=environment(tree, folder),
        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        process.stderr.readline()
        return time.monotonic() - began


def environment(tree: Path, folder: str) -> dict[str, str]:
    """Return the variables for importing a tree's package, compiled into the folder."""
    own = {"PYTHONPATH": str(tree), "PYTHONPYCACHEPREFIX": str(Path(folder, "compiled"))}
    return {**os.environ, **own, "PYTHONDONTWRITEBYTECODE": ""}


def used() -> float:
    """Return the seconds of processors of all processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main(rounds: int, trees: dict[str, Path]) -> None:
    """Measure in turns, and print a line a command and tree."""
    here = str(Path(__file__).parents[1])
    wall: dict[str, list[float]] = {}
    processor: dict[str, list[float]] = {}
    with TemporaryDirectory() as folder:
        Path(folder, "test_nothing.py").write_text(EMPTY_TEST)
        for turn in range(rounds + 1):
            if turn == 1:  # what came before has compiled the modules
                wall.clear()
                processor.clear()
            for tree, path in trees.items():
                for name, words in COMMANDS.items():
                    seconds, own = start(words, path, folder)
                    wall.setdefault(f"{name} ({tree})", []).append(seconds)
                    processor.setdefault(f"{name} ({tree})", []).append(own)
                for name, words in FIRST_LINES.items():
                    took = first_line(words, path, folder)
                    wall.setdefault(f"first line of {name} ({tree})", []).append(took)
                done = subprocess.run(
                    [sys.executable, "-c", ROWS, here], env=environment(path, folder), cwd=folder,
                    capture_output=True, text=True, check=True,
                )  # fmt: skip
                took, own = map(float, done.stdout.split())
                wall.setdefault(f"table of 3,000 rows ({tree})", []).append(took)
                processor.setdefault(f"table of 3,000 rows ({tree})", []).append(own)
    print(f"{rounds} rounds in turns, load {os.getloadavg()[0]:.1f}; milliseconds")
    print(f"{'':44} {'least':>8} {'median':>8} {'processor':>10}")
    for name in sorted(wall):
        own = f"{1000 * min(processor[name]):10.0f}" if name in processor else ""
        print(f"{name:44} {1000 * min(wall[name]):8.0f} {1000 * median(wall[name]):8.0f} {own}")


if __name__ == "__main__":
    named = dict(each.split("=", 1) for each in sys.argv[2:]) or {"this": "."}
    main(int(sys.argv[1]), {name: Path(path).absolute() for name, path in named.items()})
