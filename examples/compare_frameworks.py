"""Compare MXNet and PyTorch on one operator, from their results.

Each framework is measured in a process of its own, on the same numbers. Where the two intervals
overlap, this run does not say which framework takes less time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.units import format_seconds
from opperf.nd import Softmax

if TYPE_CHECKING:
    from opperf.core.results.result import Result


def measure(framework: str) -> dict[str, Result]:
    """Return the results by direction."""
    softmax = Softmax(framework=framework, size="small", precision=0.02, budget=0.2)
    results = softmax.run_benchmark(isolate=True)
    return {result.operator.direction: result for result in results}


def overlap(first: Result, second: Result) -> bool:
    """Return whether the intervals overlap, or one is missing."""
    one, other = first.interval, second.interval
    return not one or not other or (one[0] <= other[1] and other[0] <= one[1])


def main() -> None:
    """Print a line a direction."""
    mxnet, pytorch = measure("mxnet"), measure("pytorch")
    for direction, first in mxnet.items():
        second = pytorch[direction]
        if first.seconds is None or second.seconds is None:
            print(f"{direction:16}  mxnet {first.status}, pytorch {second.status}")
            continue
        times = f"mxnet {format_seconds(first.seconds)}, pytorch {format_seconds(second.seconds)}"
        note = " (intervals overlap)" if overlap(first, second) else ""
        print(f"{direction:16}  {times}, ratio {second.seconds / first.seconds:.2f}{note}")


if __name__ == "__main__":
    main()
