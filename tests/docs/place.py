"""A folder as its user left it: a checkout, runs, a comparison and a store, to type commands in."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import StringIO
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.calls.reading.reading import read_calls
from opperf.cli import main
from opperf.core.results.status import STATUSES
from opperf.storing import Journal, RunDirectory, read
from tests.calls import documents as calls
from tests.docs.commands import ROOT, blocks_in
from tests.records import changed
from tests.reporting.networks import result_of_call, write_run

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.core.results.result import Result

FEW, TOY = ROOT / "tests" / "docs" / "plugin", ROOT / "tests" / "plugin"
COPIED = (
    "Makefile",
    "pyproject.toml",
    "constraints.txt",
    "benchmark_driver.py",
    "task_config_template.cfg",
    "README.md",
    "docs",
)
LINKED = ("opperf", "benchmarks", "examples", "scripts", "tests")
ENGINES = ("kubectl", "sbatch", "scancel", "scontrol", "sky", "squeue")
"""Programs of engines of machines, which only say how they are called; squeue knows no jobs."""
NIGHTS, SLOW_NIGHTS = 12, 2
FAST, SLOW = 1e-5, 1.5e-5
"""Seconds that an addition took until it became slower, and since then."""
MARGIN = 0.001
FAULTS = "Double, Liar, Raiser, Sleeper, Thrower, Tripper"
NARROW = {
    "OPPERF_FRAMEWORK": "few",
    "OPPERF_SIZE": "small",
    "OPPERF_BUDGET": "0.01",
    "OPPERF_RUNS": "6",
    "OPPERF_WARMUP": "0",
    "OPPERF_RETRY": "no",
    "PYTEST_XDIST_AUTO_NUM_WORKERS": "1",
    "PIP_NO_INDEX": "1",
}
"""What bounds a command that says nothing of it: five operators, small, with few samples.

Nothing is downloaded, should make take the environment for an incomplete one.
"""
PAST = {"add": [{"avg_time_forward_add": 4.309, "inputs": {"lhs": [4, 4], "rhs": [4, 4]}}]}
"""A file of the benchmark that comes with MXNet."""
PAST_LOG = '__exp.model__= "resnet50"\n__results.time_data__= [250.0, 252.0]\n'
"""A log of the Deep Learning Benchmarking Suite."""
LONGEST = 600.0
numbers = count(1)


@dataclass(frozen=True)
class Place:
    """The folder, which may be copied anywhere."""

    path: Path

    def environment(self, **variables: str) -> dict[str, str]:
        """Return what commands inherit: nothing of the user's own settings or folders."""
        hidden = ("OPPERF_", "PYTEST_", "XDG_", "PYTHON", "MAKE", "MFLAGS", "ARGS")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
        own = {name: str(self.path / name.lower()) for name in ("HOME", "TMPDIR")}
        path = f"{self.path / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
        few = {"PYTHONPATH": str(FEW), "COLUMNS": "160", "PATH": path}
        return kept | own | few | NARROW | variables

    def type(self, text: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Carry out what is typed into a shell here; what takes too long leaves nothing behind."""
        shell = subprocess.Popen(
            ["bash", "-c", text],  # noqa: S607 - the reader's shell
            cwd=self.path,
            env=self.environment(**variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            said = shell.communicate(timeout=LONGEST)
        finally:
            if shell.poll() is None:
                os.killpg(shell.pid, signal.SIGKILL)
                shell.communicate()
        return subprocess.CompletedProcess(text, shell.returncode, *said)

    @property
    def runs(self) -> list[RunDirectory]:
        """The runs that have a manifest, oldest first; the last has records of every status."""
        return [RunDirectory(path.parent) for path in sorted(self.path.glob("runs/*/run.json"))]

    def forget(self, framework: str) -> None:
        """Make the last run one that was interrupted before it came to a framework."""
        journal = self.runs[-1].results_path
        lines = journal.read_text().splitlines(keepends=True)
        kept = [line for line in lines if json.loads(line)["operator"]["framework"] != framework]
        assert len(kept) < len(lines)
        journal.write_text("".join(kept))

    def change(self) -> str:
        """Return what `opperf changes` calls the change that the store holds."""
        store = str(self.path / "results.db")
        with redirect_stdout(StringIO()) as said:
            main(["changes", "--format", "json", "--store", store])
        return str(json.loads(said.getvalue())[0]["change"])


def make_place(path: Path) -> Place:
    """Fill a folder: real runs first, and what cannot be had quickly through the real journal."""
    place = Place(path)
    make_checkout(path)
    checked(place.type(f"opperf run -k 'name in ({FAULTS})' --timeout 2", **toys()), 11)
    verdicts = place.type("opperf ab --a . --b A=1 -k name=Exp --most-sessions 1 "
                          "--format json")  # fmt: skip
    (path / "verdicts.json").write_text(checked(verdicts, 0))
    checked(place.type("opperf run -k 'name in (Add, Dot)'"), 0)
    fill_last(place)
    make_store(place)
    (path / "past.json").write_text(json.dumps(PAST))
    (path / "resnet50.log").write_text(PAST_LOG)
    (path / "bert.calls.json").write_bytes(calls.data())
    (path / "alexnet.txt").write_text(calls.LOG)
    for page, name, language in (
        ("experiments", "night.toml", "toml"),
        ("tasks", "tasks.cfg", "ini"), ("tasks", "sorting.py", "python"),
        ("methods", "sorting_benchmark.py", "python"), ("pytest", "test_product.py", "python"),
    ):  # fmt: skip
        document = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
        (block,) = blocks_in(document, (language,))
        (path / name).write_text(block)
    return place


def toys() -> dict[str, str]:
    """Return what makes the operators available that end in every way."""
    return {"OPPERF_FRAMEWORK": "toy", "PYTHONPATH": str(TOY)}


def checked(found: subprocess.CompletedProcess[str], code: int) -> str:
    """Return what a command printed that ends like this."""
    assert found.returncode == code, found.stderr
    return found.stdout


def make_checkout(path: Path) -> None:
    """Put what is in a checkout there, and an environment that make takes for a complete one."""
    for name in LINKED:
        (path / name).symlink_to(ROOT / name)
    for name in COPIED:
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, path / name)
    for name in ("home", "tmpdir", ".venv/bin"):
        (path / name).mkdir(parents=True)
    programs = {"python": "", "opperf": "-m opperf", "pytest": "-m pytest"}
    for name, module in programs.items():
        program = path / ".venv" / "bin" / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n')
        program.chmod(0o755)
    for name in ENGINES:
        program = path / ".venv" / "bin" / name
        program.write_text(f'#!/bin/sh\necho "{name} $*"\n' if name != "squeue" else "#!/bin/sh\n")
        program.chmod(0o755)


def mark_ready(path: Path) -> None:
    """Say of the environment what make says when it has installed all: see the Makefile."""
    sums = (f"$({what} | cksum | cut -d ' ' -f 1)"
            for what in ("pwd", "cat pyproject.toml constraints.txt"))  # fmt: skip
    script = f"touch .venv/ready-{'-'.join(sums)}"
    subprocess.run(["sh", "-c", script], cwd=path, check=True)  # noqa: S607 - as make takes it


def fill_last(place: Place) -> None:
    """Give the last run records of every status, and rows that were measured twice."""
    faulty, *_, last = place.runs
    own, others = read(last.results_path).results, read(faulty.results_path).results
    added, product = (one(own, name) for name in ("Add", "Dot"))
    (double, *_) = [result for result in others if result.operator.name == "Double"]
    rest = [changed(double, **new(), status=status, reason=f"made {status} here", samples=None,
                    summary=None, operator={"name": f"Toy{status}"})
            for status in ("unsupported", "interrupted", "no_time")]  # fmt: skip
    elsewhere = [changed(result, **new(), operator={"framework": "mxnet"},
                        series_key=str(at) * 16) for at, result in enumerate(own)]  # fmt: skip
    doubtful = changed(product, status="noisy")  # of a reliable one it would not take the place
    first = [doubtful if result is product else result for result in own]
    last.results_path.write_text("".join(f"{result.to_json()}\n" for result in first))
    noisy = changed(doubtful, **new(), supersedes=product.result_id)
    again = changed(timed(added, SLOW), **new(), supersedes=added.result_id)
    more = (*others, *elsewhere, *rest, noisy, again)
    every = [changed(result, run_id=last.run_id) for result in more]
    with Journal(last.results_path) as journal:
        journal.append(every)
    assert {result.status for result in (*own, *every)} == {*STATUSES}


def measured_calls(place: Place) -> None:
    """Make the last run one of a network's calls."""
    record = read_calls(place.path / "alexnet.txt", print)
    results = [result_of_call(call, seconds=1e-5 * at) for at, call in enumerate(record.calls, 1)]
    write_run(place.path / "runs", record, results)


def new() -> Mapping[str, Any]:
    """Return the fields of a record of its own."""
    return {"result_id": f"{next(numbers):032x}"}


def one(results: Sequence[Result], name: str) -> Result:
    """Return the one result of an operator."""
    (found,) = [result for result in results if result.operator.name == name]
    return found


def timed(result: Result, seconds: float) -> Result:
    """Return the result with another time, which is relied on."""
    summary = {"median": seconds, "precision": MARGIN, "warnings": [],
               "interval": [seconds * (1 - MARGIN), seconds * (1 + MARGIN)]}  # fmt: skip
    return changed(result, status="ok", reason=None, summary=summary)


def nights(last: RunDirectory) -> Iterator[tuple[str, Result]]:
    """Yield the runs of the nights before the last run: additions, and since when they are slow."""
    counting = [result for result in read(last.results_path).results if result.supersedes]
    added = one(counting, "Add")
    for night in range(NIGHTS, 0, -1):
        moment = datetime.fromisoformat(added.started_at) - timedelta(days=night)
        seconds = (SLOW if night < SLOW_NIGHTS else FAST) * (1 + MARGIN * (night * 7 % 5))
        run_id = f"{moment:%Y%m%dT%H%M%S}-{night:06x}"
        fields = {**new(), "run_id": run_id, "started_at": moment.isoformat(), "supersedes": None}
        yield run_id, changed(timed(added, seconds), **fields)


def make_store(place: Place) -> None:
    """Make stores of the nights and the last run; what they are worth is in their names."""
    last, paths = place.runs[-1], []
    for run_id, result in nights(last):
        directory = RunDirectory(last.path.with_name(run_id))
        directory.path.mkdir()
        directory.write_manifest(last.manifest() | {"run_id": run_id})
        with Journal(directory.results_path) as journal:
            journal.append([result])
        paths.append(str(directory.results_path))
    stored = ["--store", str(place.path / "results.db")]
    other = ["--store", str(place.path / "other.db")]
    for words in (
        ["db", "init", *stored],
        ["import", *paths, str(last.path), *stored],
        ["baseline", "set", Path(paths[0]).parent.name, "--name", "v1", *stored],
        ["db", "init", *other],
        ["import", paths[0], *other],
    ):
        assert main(words) == 0
