"""The calls of E3 and E7 under pyperf: run by it in its own processes, not imported by others."""

from __future__ import annotations

import sys
from itertools import repeat
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import pyperf

sys.path.insert(0, str(Path(__file__).parents[1]))
from experiments.calls import make_call

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

CALLS = 100
"""Calls that a loop is divided by, where it makes some of them more."""


def hand_over(command: list[str], arguments: Namespace) -> None:
    """Pass the name of the call, and how it is made, on to pyperf's workers."""
    command.extend(["--call", arguments.call])
    if arguments.extra is not None:
        command.extend(["--extra", str(arguments.extra)])


def timed(loops: int, call: Callable[[], object], calls: int) -> float:
    """Return the seconds of so many loops of so many calls."""
    began = perf_counter()
    for _ in repeat(None, loops * calls):
        call()
    return perf_counter() - began


if __name__ == "__main__":
    runner = pyperf.Runner(add_cmdline_args=hand_over)
    runner.argparser.add_argument("--call")
    runner.argparser.add_argument("--extra", type=int)
    chosen = runner.parse_args()
    call = make_call(chosen.call)
    if chosen.extra is None:
        runner.bench_func(chosen.call, call)
    else:
        calls = CALLS + chosen.extra
        runner.bench_time_func(chosen.call, timed, call, calls, inner_loops=CALLS)
