"""Measure one operator and print how well its time is known.

The interval holds the median at 95 % within this one process. Another process may differ by more:
see docs/lab/method.md.
"""

from __future__ import annotations

from opperf.core.units import format_precision, format_seconds
from opperf.nd import Add


def main() -> None:
    """Measure Add in every direction."""
    add = Add(size="small", precision=0.02, budget=0.2)
    for result in add.run_benchmark():
        direction, seconds = result.operator.direction, result.seconds
        if seconds is None:
            print(f"{direction:16}  {result.status}: {result.reason}")
            continue
        precision, n = result.summary.precision, result.summary.n
        time = f"{format_seconds(seconds, precision)} {format_precision(precision)}"
        print(f"{direction:16}  {time}, {n} samples of {result.samples.iterations} iterations")
    add.print_benchmark_results()


if __name__ == "__main__":
    main()
