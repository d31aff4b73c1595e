"""Measure an operator on inputs and sizes of one's own.

Any subset of the inputs may be given; the rest keep the defaults of the size, and shapes that would
not fit follow from those given. A contradiction is refused before anything is measured.
"""

from __future__ import annotations

from opperf.core.errors import UsageError
from opperf.nd import Conv2D, Dot, Sum

QUICK = {"precision": 0.05, "budget": 0.1}


def main() -> None:
    """Print the time of several inputs of three operators."""
    for width in (16, 64, 256):
        dot = Dot(inputs={"lhs": (64, width), "rhs": (width, 64), "run_backward": False}, **QUICK)
        dot.run_benchmark()
        print(f"inner dimension {width}:", dot.get_benchmark_results())

    for size in ("small", "skewed"):
        total = Sum(inputs={"dtype": "float64"}, size=size, **QUICK)
        total.run_benchmark()
        print(f"{size} {total.inputs['data']}:", total.get_benchmark_results())

    layer = Conv2D(inputs={"data": (1, 3, 8, 8)}, size="small")
    print("weight and bias follow:", layer.inputs["weight"], layer.inputs["bias"])

    try:
        Conv2D(inputs={"data": (1, 3, 8, 8), "weight": (8, 4, 3, 3)}, size="small")
    except UsageError as error:
        print("refused:", error)


if __name__ == "__main__":
    main()
