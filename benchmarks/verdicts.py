"""How far verdicts can be believed: experiments with a known truth, ours and the peers' rules.

Run: ``.venv/bin/python benchmarks/verdicts.py`` (2.5 hours at most; ``--quick``: 15 minutes). It
prints each figure beside its target and writes docs/lab/verdicts.md. Every session is kept in
``--work`` as it comes: the same command again goes on after an interruption.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from accuracy import default_work, with_circumstances
from experiments.finding import load, save
from experiments.page import page, plain, read_misses

if TYPE_CHECKING:
    from experiments.finding import Finding

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "lab" / "verdicts.md"
EXPERIMENTS = {
    "E1": "injection",
    "E2": "equal_arms",
    "E2N": "equal_arms_beside",
    "E3": "peers",
    "E4": "looks",
    "E11": "marking",
}
"""The module of each experiment; E3 judges what E1 and E2 have recorded."""
HEAD = """\
# Verdicts

<!-- Written by benchmarks/verdicts.py. Causes and attempts come from
benchmarks/experiments/misses.toml; anything else that is changed here is lost. -->

How far the verdicts of `opperf ab` can be believed: arms that are equal, arms that differ by a
known amount, and what the rules of other tools say to the same samples.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the experiments asked for; return 0, or 1 where a target was missed."""
    options = parse(arguments)
    work = options.work / ("quick" if options.quick else "full")
    findings = []
    for name in options.only:
        path = work / f"{name}.json"
        if not (options.resume and path.exists()):
            print(f"{name} {EXPERIMENTS[name]} ...", flush=True)
            save(experience(name, work, quick=options.quick), path)
        findings.append(load(path))
        print(plain(findings[-1]), flush=True)
    output = options.output or (None if options.quick or len(findings) < len(EXPERIMENTS) else PAGE)
    if output:
        output.write_text(page(findings, shown_command(options), read_misses(), head=HEAD))
        print(f"written: {output}")
    missed = [finding.name for finding in findings if finding.verdict == "missed"]
    print(f"missed: {', '.join(missed) or 'none'}")
    return int(bool(missed))


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--quick", action="store_true", help="fewer operators and sessions, and no record")
    add("--only", type=names, default=list(EXPERIMENTS), metavar="E1,E4", help="some of them")
    add("--output", type=Path, help="the page; else docs/lab/verdicts.md, of all in full only")
    add("--resume", action="store_true", help="take the findings that are in --work as they are")
    add("--work", type=Path, default=default_work().with_name("verdicts"), help="what is kept")
    return parser.parse_args(arguments)


def names(text: str) -> list[str]:
    """Return the experiments of a list, in their order."""
    asked = set(text.upper().split(","))
    if unknown := asked - set(EXPERIMENTS):
        raise argparse.ArgumentTypeError(f"{sorted(unknown)}: only {', '.join(EXPERIMENTS)}")
    return [name for name in EXPERIMENTS if name in asked]


def experience(name: str, work: Path, *, quick: bool) -> Finding:
    """Run one experiment and note the circumstances."""
    work.mkdir(parents=True, exist_ok=True)
    experiment = import_module(f"experiments.{EXPERIMENTS[name]}")
    return with_circumstances(lambda: experiment.run(work, quick=quick), quick=quick)


def shown_command(options: argparse.Namespace) -> str:
    """Return the command as one types it."""
    words = ["python", "benchmarks/verdicts.py", *(["--quick"] if options.quick else [])]
    if len(options.only) < len(EXPERIMENTS):
        words += ["--only", ",".join(options.only)]
    return " ".join(words)


if __name__ == "__main__":
    sys.exit(main())
