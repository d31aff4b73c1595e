"""What one session of pytest measures: a stored run, and verdicts against an earlier one."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from opperf.api.run import load
from opperf.comparing.stored import MIN_STORED_EFFECT, Match, match
from opperf.comparing.total import Total
from opperf.comparing.verdict import WORSE
from opperf.core.configuration.options import resolve
from opperf.core.errors import UsageError
from opperf.reporting.foreign.pytest_benchmark import names, write_pytest_benchmark
from opperf.reporting.subjects import Run
from opperf.reporting.table import table
from opperf.reporting.text import clean, is_ascii
from opperf.reporting.verdict_table import verdicts
from opperf.storing import Journal, RunDirectory
from opperf.storing.foreign.reading import read_foreign
from opperf.storing.manifest import PYTEST_RUN

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pytest

    from opperf.comparing.row import ComparedRow
    from opperf.core.results.result import Result

FAILING = (*WORSE, "newly_fails", "wrong_result")
"""The verdicts that fail a test."""
NAMED = 3
"""How many of the measurements without a baseline are named."""


@dataclass(kw_only=True)
class MeasuringSession:
    """The results of a session, each stored as soon as it is there.

    Args:
        runs_dir: the directory of all runs.
        command: what pytest was started with.
        settings: what is set for all measurements.
        baseline: what results are compared with, None for nothing.
        by_name: whether the baseline is another tool's, whose names alone are the same.
        min_effect: the smallest change of interest, a share.
        json_path: where the results go as pytest-benchmark's JSON.
        alone: whether no other process of this session measures at the same time.
    """

    runs_dir: Path
    command: str
    settings: Mapping[str, float]
    baseline: Sequence[Result] | None
    by_name: bool
    min_effect: float
    json_path: Path | None
    alone: bool
    results: list[Result] = field(default_factory=list)
    rows: list[ComparedRow] = field(default_factory=list)
    new: list[Result] = field(default_factory=list)
    trouble: str | None = None
    directory: RunDirectory | None = None
    stack: ExitStack = field(default_factory=ExitStack)

    @classmethod
    def of(cls, config: pytest.Config) -> MeasuringSession:
        """Return a session as pytest's options have it.

        Raises:
            UsageError: there is no such run, or a number is out of its range.
        """
        chosen = config.getoption("opperf_runs_dir")
        configuration = resolve({"runs_dir": chosen}, os.environ, Path.cwd())
        runs_dir = Path(configuration["runs_dir"].value)
        effect = config.getoption("opperf_min_effect")
        effect = MIN_STORED_EFFECT if effect is None else effect
        if not 0 < effect <= 1:
            raise UsageError(
                f"--opperf-min-effect {effect}: must be above 0 and up to 1, such as 0.1"
            )
        budget = config.getoption("opperf_budget")
        json_path = config.getoption("opperf_json")
        baseline, by_name = read_baseline(config.getoption("opperf_compare"), runs_dir)
        return cls(
            runs_dir=runs_dir,
            command=" ".join(["pytest", *config.invocation_params.args]),
            settings={} if budget is None else {"budget": budget},
            baseline=baseline,
            by_name=by_name,
            min_effect=effect,
            json_path=writable(Path(json_path)) if json_path else None,
            alone=not hasattr(config, "workerinput"),
        )

    def add(self, results: Sequence[Result]) -> list[str]:
        """Store results; return a line for each that is slower than before, or failed since."""
        if self.directory is None:
            manifest = {"kind": PYTEST_RUN, "command": self.command, "tags": []}
            self.directory = RunDirectory.create(self.runs_dir, manifest)
            self.journal = self.stack.enter_context(Journal(self.directory.results_path))
        labels = {"run_id": self.directory.run_id, "command": self.command}
        found = [structs.replace(result, **labels) for result in results]
        self.journal.append(found)
        self.results += found
        rows = [each.row(self.min_effect) for each in self.matches(found)]
        self.rows += rows
        return [line_of(row) for row in rows if row.verdict in FAILING]

    def matches(self, results: Sequence[Result]) -> Sequence[Match]:
        """Return the results that the baseline has as well; keep the others as new."""
        if self.baseline is None:
            return []
        if self.by_name:
            named = {clean(result.operator.name): result for result in self.baseline}
            pairs = [(named.get(names(result)["fullname"] or ""), result) for result in results]
            found = [Match(a=[a], b=[b]) for a, b in pairs if a is not None]
        else:
            found = [*match(self.baseline, results).matches]
        known = {result.result_id for each in found for result in each.b}
        self.new += [result for result in results if result.result_id not in known]
        return found

    def summary(self, width: int) -> Iterator[str]:
        """Yield the lines below all tests."""
        ascii_only = is_ascii(sys.stdout)
        yield from table(self.results, width, ascii_only=ascii_only).splitlines()
        if self.rows:
            yield ""
            total = Total(self.rows)
            text = verdicts(total, self.min_effect, width, paired=False, ascii_only=ascii_only)
            yield from text.splitlines()
        if self.new:
            yield new_line(self.new)
        if self.directory is not None:
            yield f"results: {self.directory.results_path}"
        if self.trouble is not None:
            yield self.trouble

    def write_json(self) -> bool:
        """Write the results as pytest-benchmark's JSON if asked; return whether that worked."""
        if self.json_path is not None and self.results:
            try:
                with self.json_path.open("w", encoding="utf-8") as stream:
                    write_pytest_benchmark(Run(name="pytest", results=self.results), stream)
            except OSError as error:
                self.trouble = f"cannot write {self.json_path}: {error.strerror}"
        return self.trouble is None

    def close(self) -> None:
        """Close the run's file."""
        self.stack.close()


def read_baseline(text: str | None, runs_dir: Path) -> tuple[Sequence[Result] | None, bool]:
    """Return the results to compare with, and whether another tool wrote them.

    Raises:
        UsageError: there are none.
    """
    if text is None:
        return None, False
    path = Path(text)
    if path.suffix == ".json" and path.is_file():
        return read_foreign(path, None, "unknown"), True
    return load(text, runs_dir=runs_dir), False


def writable(path: Path) -> Path:
    """Return the path of a file that may be written, before anything is measured for it.

    Raises:
        UsageError: it is a folder, or lies in none.
    """
    if path.is_dir():
        raise UsageError(f"--opperf-json {path}: is a folder; give a file's name")
    if not path.parent.is_dir():
        raise UsageError(f"--opperf-json {path}: there is no folder {path.parent}; make it first")
    return path


def new_line(results: Sequence[Result]) -> str:
    """Return which measurements the baseline does not have."""
    labels = list(dict.fromkeys(clean(result.operator.name) for result in results))
    more = f" and {len(labels) - NAMED} more" if len(labels) > NAMED else ""
    return f"not in the baseline, so not compared: {', '.join(labels[:NAMED])}{more}"


def line_of(row: ComparedRow) -> str:
    """Return why a test fails."""
    line = f"{row.operator} {row.direction}: {row.verdict.replace('_', ' ')}"
    if row.ratio is not None:
        line += f", {row.ratio:.3g} times what it was"
        if row.interval is not None:
            line += f" (95 %: {row.interval[0]:.3g} to {row.interval[1]:.3g})"
    return f"{line}: {row.reason}" if row.reason else line
