"""What torch.utils.benchmark says of operators in a plain process; run by `plain_agreement`.

The arguments are the seconds an operator and cases such as ``Add:small``; the answer is one line of
JSON, the seconds of a call by case.
"""

from __future__ import annotations

import json
import sys

from experiments.timing import forward, pytorch, step_of
from opperf.core.configuration.settings import Settings
from opperf.declaring.registry import operators


def main(seconds: str, *cases: str) -> None:
    """Time each case by a `Timer` of its own, as a user would."""
    from torch.utils.benchmark import Timer

    framework, declared, found = pytorch(), operators(), {}
    for case in cases:
        name, _, size = case.partition(":")
        operator = declared[name]({"run_backward": False}, size=size)
        with step_of(forward(operator, framework, Settings())) as step:
            timer = Timer("step()", globals={"step": step})
            found[case] = timer.blocked_autorange(min_run_time=float(seconds)).median
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
