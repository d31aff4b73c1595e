"""List the slowest operators of a run from its journal: ``slowest.py RUN [COUNT]``.

RUN is a run's folder or its results.jsonl, such as runs/20261121T035405-cf5a58. No framework is
needed to read results.
"""

from __future__ import annotations

import sys
from pathlib import Path

from opperf.core.units import format_seconds
from opperf.storing import RunDirectory, read


def main(run: str, count: int = 10) -> None:
    """Print the slowest results that have a sound time, slowest first."""
    reading = read(RunDirectory.at(Path(run)).results_path)
    timed = [result for result in reading.results if result.seconds is not None]
    timed.sort(key=lambda result: result.seconds or 0.0, reverse=True)
    for result in timed[:count]:
        operator, seconds = result.operator, format_seconds(result.seconds)
        print(f"{seconds:>10}  {operator['name']} {operator['framework']} {operator['direction']}")
    print(f"{len(reading.results) - len(timed)} results have no time")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
