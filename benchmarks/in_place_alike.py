"""How far in-place operators on pristine copies are off, on each framework alike.

Run: ``.venv/bin/python benchmarks/in_place_alike.py``

The truth is the same call again and again on one tensor, for operators that may do so: to negate,
to take the absolute value or to rectify makes nothing larger or slower. Beside it stands the same
operator out of place, which moves more memory where a tensor leaves the caches.
"""

from __future__ import annotations

import sys
from statistics import median

from experiments.timing import calling, forward, seconds, step_of

from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.registry import find_framework
from opperf.core.machine.affinity import pin
from opperf.core.memory.heap import holes_filled
from opperf.declaring.registry import operators

PAIRS = {"INegative": "Negative", "IAbs": "Abs", "IReLU": "ReLU"}
ORDERS = (64, 256, 1024)
ROUNDS = 5
SETTINGS = Settings(budget=0.08)


def main(*names: str) -> None:
    """Print a line an operator, order and framework."""
    print("| operator | order | framework | again and again | on copies | out of place |")
    print("|---|---|---|---|---|---|")
    for framework in names or ("mxnet", "pytorch"):
        for operator in PAIRS:
            for order in ORDERS:
                print(line_of(framework, operator, order), flush=True)


def line_of(name: str, operator: str, order: int) -> str:
    """Return the line of one operator at one order, measured in turns."""
    framework = find_framework(name)
    framework.load(1)
    device, inputs = framework.device("cpu"), {"data": (order, order)}
    found: list[tuple[float, ...]] = []
    kept = []  # so that each round's tensors lie in memory of their own
    for _ in range(ROUNDS):
        copies = forward(operators()[operator](inputs), framework, SETTINGS)
        apart = forward(operators()[PAIRS[operator]](inputs), framework, SETTINGS)
        with step_of(copies) as step, framework.inference():
            still = calling(step, device)
            kept.append((copies, apart, still))
            with holes_filled():
                found.append(tuple(seconds(work, SETTINGS) for work in (still, copies, apart)))
    truth = median(times[0] for times in found)
    errors = [median(times[at] / times[0] for times in found) - 1 for at in (1, 2)]
    shown = " | ".join(f"{error:+.0%}" for error in errors)
    return f"| {operator} | {order} | {name} | {truth * 1e6:.1f} us | {shown} |"


if __name__ == "__main__":
    pin(2)
    main(*sys.argv[1:])
