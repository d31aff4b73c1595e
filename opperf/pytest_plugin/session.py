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
from opperf.reporting.foreign.pytest_benchmark import write_pytest_benchmark
from opperf.reporting.subjects import Run
from opperf.reporting.table import table
from opperf.reporting.text import is_ascii
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
            json_path=Path(json_path) if json_path else None,
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
        rows = [*self.compare(found)]
        self.rows += rows
        return [line_of(row) for row in rows if row.verdict in FAILING]

    def compare(self, results: Sequence[Result]) -> Iterator[ComparedRow]:
        """Yield the verdict of each result that the baseline has as well."""
        if self.baseline is None:
            return
        if self.by_name:
            named = {result.operator.name: result for result in self.baseline}
            pairs = [(named.get(result.operator.name), result) for result in results]
            matches = [Match(a=[a], b=[b]) for a, b in pairs if a is not None]
        else:
            matches = [*match(self.baseline, results).matches]
        for found in matches:
            yield found.row(self.min_effect)

    def summary(self, width: int) -> Iterator[str]:
        """Yield the lines below all tests, and write the JSON."""
        ascii_only = is_ascii(sys.stdout)
        yield from table(self.results, width, ascii_only=ascii_only).splitlines()
        if self.rows:
            yield ""
            total = Total(self.rows)
            text = verdicts(total, self.min_effect, width, paired=False, ascii_only=ascii_only)
            yield from text.splitlines()
        if self.directory is not None:
            yield f"results: {self.directory.results_path}"
        if self.json_path is not None:
            try:
                with self.json_path.open("w", encoding="utf-8") as stream:
                    write_pytest_benchmark(Run(name="pytest", results=self.results), stream)
            except OSError as error:
                yield f"cannot write {self.json_path}: {error.strerror}"

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


def line_of(row: ComparedRow) -> str:
    """Return why a test fails."""
    line = f"{row.operator} {row.direction}: {row.verdict.replace('_', ' ')}"
    if row.ratio is not None:
        line += f", {row.ratio:.3g} times what it was"
        if row.interval is not None:
            line += f" (95 %: {row.interval[0]:.3g} to {row.interval[1]:.3g})"
    return f"{line}: {row.reason}" if row.reason else line
