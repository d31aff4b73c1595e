"""How accurate opperf is: experiments with a known truth, in one command.

Run: ``.venv/bin/python benchmarks/accuracy.py`` (50 minutes at most; ``--quick``: 6). Prints each
figure beside its target and writes docs/lab/accuracy.md. Findings are kept in ``--work`` as they
come, so that ``--resume`` goes on after an interruption.
"""

from __future__ import annotations

import argparse
import os
import platform
import shlex
import subprocess
import sys
import time
from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime, timezone
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.finding import Finding, load, save
from experiments.page import MOST_MISSED, page, plain, read_misses
from experiments.quiet import listen, slow, wait_until_quiet

from opperf.core.environment import collect
from opperf.core.environment.variables import child_environment
from opperf.core.machine.affinity import pin
from opperf.core.memory.layout import fixed_layout
from opperf.core.version import VERSION
from opperf.measuring.worker.variables import ALIKE, ALLOCATION, PASSIVE, PIPED

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "lab" / "accuracy.md"
EXPERIMENTS = {
    "E5": "absolute_time",
    "E6": "agreement",
    "E6P": "plain_agreement",
    "E7": "time_to_precision",
    "E8": "backward_work",
    "E9": "in_place",
    "E10": "cold_copy",
}
"""The module of each experiment."""
PLAIN = ("E6P",)
"""Those whose processes are left as a user's own."""
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "MXNET_CPU_WORKER_NTHREADS"), "1")
SHOWN = ("mxnet", "numpy", "pyperf", "torch")


def main(arguments: list[str] | None = None) -> int:
    """Run the experiments asked for; return 0, or 1 where one failed or too many missed."""
    options = parse(arguments)
    if options.alone:
        finding = experience(options.alone, quick=options.quick, wait=options.wait)
        save(finding, options.work / f"{options.alone}.json")
        return 0
    folder = options.work / ("quick" if options.quick else "full")
    findings = []
    for name in options.only:
        path = folder / f"{name}.json"
        if not (options.resume and path.exists()) and not run_alone(name, folder, options):
            print(f"{name}: failed, see above", flush=True)
            continue
        findings.append(load(path))
        print(plain(findings[-1]), flush=True)
    return conclude(findings, options)


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Return the options; a list of unknown experiments is an error."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    add = parser.add_argument
    add("--quick", action="store_true", help="fewer rounds: 5 minutes, and no record")
    add("--only", type=names, default=list(EXPERIMENTS), metavar="E5,E8", help="some of them")
    add("--output", type=Path, help="the page; else docs/lab/accuracy.md, of all in full only")
    add("--resume", action="store_true", help="take findings that an earlier run left in --work")
    add("--wait", type=float, default=0.0, metavar="MINUTES",
        help="how long each experiment may wait for a quiet machine")  # fmt: skip
    add("--work", type=Path, default=default_work(), help="where findings are kept")
    add("--alone", choices=EXPERIMENTS, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def names(text: str) -> list[str]:
    """Return the experiments of a list, in their order."""
    asked = set(text.upper().split(","))
    if unknown := asked - set(EXPERIMENTS):
        raise argparse.ArgumentTypeError(f"{sorted(unknown)}: only {', '.join(EXPERIMENTS)}")
    return [name for name in EXPERIMENTS if name in asked]


def default_work() -> Path:
    """Return where findings are kept: outside the repository."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "opperf" / "accuracy"


def run_alone(name: str, folder: Path, options: argparse.Namespace) -> bool:
    """Run one experiment in a process of its own; return whether it ended well."""
    print(f"{name} {EXPERIMENTS[name]} ...", flush=True)
    command = [sys.executable, __file__, "--alone", name, "--work", str(folder)]
    command += ["--wait", str(options.wait), *(["--quick"] if options.quick else [])]
    settings = {**ALLOCATION, **ALIKE, **PASSIVE, **PIPED, **ONE_THREAD}
    plain = name in PLAIN
    variables = dict(os.environ) if plain else child_environment(os.environ, settings)
    # The experiments lie beside this file, which PYTHONSAFEPATH would hide.
    variables["PYTHONPATH"] = os.pathsep.join(map(str, (ROOT, ROOT / "benchmarks")))
    with nullcontext() if plain else fixed_layout():
        return subprocess.run(command, check=False, env=variables).returncode == 0


def experience(name: str, *, quick: bool, wait: float) -> Finding:
    """Run one experiment in this process and note the circumstances."""
    if name not in PLAIN:
        pin(1)
    experiment = import_module(f"experiments.{EXPERIMENTS[name]}")
    return with_circumstances(lambda: experiment.run(quick), quick=quick, wait=wait)


def with_circumstances(
    experiment: Callable[[], Finding], *, quick: bool, wait: float = 0.0
) -> Finding:
    """Run an experiment and note when, where and beside whom that was.

    It waits for a quiet machine, so many minutes at most.
    """
    heard = wait_until_quiet(wait * 60)
    began, start = datetime.now(timezone.utc), time.monotonic()
    finding = experiment()
    took = time.monotonic() - start
    heard.append(listen())
    circumstances = {
        "began": began.isoformat(sep=" ", timespec="minutes"),
        "seconds": took,
        "slow_before": slow(heard[-2], heard),
        "slow_after": slow(heard[-1], heard),
        "quick": quick,
        "machine": machine(),
        "software": software(),
    }
    return replace(finding, circumstances=circumstances)


def machine() -> str:
    """Return the machine in a line."""
    facts = collect()
    known = [facts.get("cpu"), f"{os.cpu_count()} processors", platform.platform()]
    return ", ".join(str(fact) for fact in known if fact)


def software() -> str:
    """Return the versions that matter."""
    known = {name: version(name) for name in SHOWN if find_spec(name)}
    parts = {"opperf": VERSION, "Python": platform.python_version(), **known}
    return ", ".join(f"{name} {number}" for name, number in parts.items())


def conclude(findings: list[Finding], options: argparse.Namespace) -> int:
    """Write the page where it is due, say what was missed, and return the exit status."""
    complete = len(findings) == len(EXPERIMENTS)
    output = options.output or (PAGE if complete and not options.quick else None)
    if output and findings:
        output.write_text(page(findings, shown_command(options), read_misses()))
        print(f"written: {output}")
    missed = [finding.name for finding in findings if finding.verdict == "missed"]
    if missed:
        print(f"missed: {', '.join(missed)} (at most {MOST_MISSED} may be)")
    return int(len(findings) < len(options.only) or len(missed) > MOST_MISSED)


def shown_command(options: argparse.Namespace) -> str:
    """Return the command as one types it, without what says where things lie."""
    words = ["python", "benchmarks/accuracy.py", *(["--quick"] if options.quick else [])]
    words += ["--wait", f"{options.wait:g}"] if options.wait else []
    if len(options.only) < len(EXPERIMENTS):
        words += ["--only", ",".join(options.only)]
    return shlex.join(words)


if __name__ == "__main__":
    sys.exit(main())
