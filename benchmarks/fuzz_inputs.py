"""Give opperf hostile inputs and options, and count what it makes of them.

``.venv/bin/python benchmarks/fuzz_inputs.py [INPUTS] [--seed N]``

Inputs of every operator, by the class and as they are typed, up to the plan, the description and,
where they are small, a check on NumPy in a process of its own; options of every verb. Each must be
accepted or refused in one line, within 10 seconds. Exits 1 where one is not.
"""

from __future__ import annotations

import argparse
import faulthandler
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from random import Random

from fuzzing.operators import is_small, try_building, try_class, try_plan
from fuzzing.options import Folder, try_command
from fuzzing.tally import FAULTS, Tally

ROOT = Path(__file__).parents[1]
PLANNED, TYPED, BUILT = 0.12, 0.08, 0.3
"""Shares of inputs that are planned, that are typed, and of accepted ones that are built."""
COMMANDS_A_FOLDER = 200
TOLD_EVERY = 10_000
RUN = ("run", "-k", "name=Add", "--framework", "numpy", "--size", "small", "--runs", "6", "--quiet")


def main() -> int:
    """Try them all and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("inputs", nargs="?", type=int, default=100_000, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="which")
    options = parser.parse_args()
    faulthandler.enable()
    warnings.simplefilter("ignore")
    tally, random = Tally(), Random(options.seed)  # noqa: S311 - to be repeated, not to be secret
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Folder(Path(name), measured())
        commands = 0
        for number in range(1, options.inputs + 1):
            if number % TOLD_EVERY == 0:
                faults = sum(map(tally.total, FAULTS))
                print(f"{number} inputs, {faults} faults", file=sys.stderr, flush=True)
            which = random.random()
            if which < TYPED:
                if commands % COMMANDS_A_FOLDER == 0:
                    folder.renew()
                commands += 1
                try_command(random, tally, folder)
            elif which < TYPED + PLANNED:
                try_plan(random, tally)
            else:
                made = try_class(random, tally)
                if made and random.random() < BUILT and is_small(made):
                    try_building(made, tally)
    print(tally.report())
    print(f"{options.inputs} inputs, seed {options.seed}, {time.monotonic() - start:.0f} s")
    return int(any(tally.total(outcome) for outcome in FAULTS))


def measured() -> bytes:
    """Return the journal of a small run."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "opperf", *RUN]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        (journal,) = Path(folder).glob("runs/*/results.jsonl")
        return journal.read_bytes()


if __name__ == "__main__":
    sys.exit(main())
