"""The calls of E7 under pyperf: run by it in its own processes, never imported by the others."""

from __future__ import annotations

import sys
from pathlib import Path

import pyperf

sys.path.insert(0, str(Path(__file__).parents[1]))
from experiments.calls import make_call


def hand_over(command: list[str], arguments: object) -> None:
    """Pass the name of the call on to pyperf's workers."""
    command.extend(["--call", arguments.call])  # type: ignore[attr-defined] # argparse's namespace


if __name__ == "__main__":
    runner = pyperf.Runner(add_cmdline_args=hand_over)
    runner.argparser.add_argument("--call")
    chosen = runner.parse_args()
    runner.bench_func(chosen.call, make_call(chosen.call))
