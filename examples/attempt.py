"""Try what the declarations say a framework cannot do, and print what comes of it.

A run reports known limitations as unsupported without trying; docs/operators.md lists them, each
with its command:

    python examples/attempt.py ConvReLU mxnet --direction backward
"""

from __future__ import annotations

from argparse import ArgumentParser

from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.registry import find_framework
from opperf.core.frameworks.workload import DIRECTIONS
from opperf.declaring.registry import find_operator
from opperf.measuring.attempt import Attempt

parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
parser.add_argument("operator")
parser.add_argument("framework")
parser.add_argument("--direction", choices=DIRECTIONS, default=DIRECTIONS[0])
parser.add_argument("--dtype", default="float32")
parser.add_argument("--size", default="small")
parser.add_argument("--unfused", action="store_true")


def main() -> None:
    """Make the attempt, without timing anything."""
    given = parser.parse_args()
    operator = find_operator(given.operator)({"dtype": given.dtype}, size=given.size)
    framework = find_framework(given.framework)
    framework.load(threads=1)
    attempt = Attempt(
        operator, framework, "cpu", Settings(), check_only=True, obey_limitations=False
    )
    variant = "unfused" if given.unfused and operator.fusable else operator.variants()[0]
    outcome = attempt.outcome(variant, given.direction)
    print(f"{outcome.status}: {outcome.reason}")


if __name__ == "__main__":
    main()
