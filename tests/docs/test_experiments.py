"""What docs/experiments.md shows is what happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from opperf.networks.experiments.expansion import expand, matrix_rows
from opperf.networks.log_lines import read_log, success_lines, write_lines
from tests.docs.commands import ROOT, blocks_in

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENT = (ROOT / "docs" / "experiments.md").read_text(encoding="utf-8")
(NIGHT,) = blocks_in(DOCUMENT, ("toml",))
TABLE, DECLARED, LOG = blocks_in(DOCUMENT, ("text",))


def test_the_table_is_that_of_the_file(tmp_path: Path) -> None:
    """With its constraint, its extension and its expression."""
    path = tmp_path / "night.toml"
    path.write_text(NIGHT)
    matrix = expand(path)
    rows = matrix_rows(matrix.experiments)
    table = [[*rows[0]], *([*map(str, row.values())] for row in rows)]
    assert table == [line.split() for line in TABLE.splitlines()]
    assert matrix.notes == ("2 combinations left out: they do not meet the constraints",)
    phases = ["--forward_only=true" in one.arguments for one in matrix.experiments]
    assert phases == [False, True, True, False, True, True]
    assert {one.tags for one in matrix.experiments} == {("night-short",)}


def test_the_declared_parameter_is_worked_out(tmp_path: Path) -> None:
    """As the expression beside it says."""
    path = tmp_path / "mine.toml"
    path.write_text(DECLARED)
    [experiment] = expand(path).experiments
    assert "--batch_size=16" in experiment.arguments


def test_the_log_lines_are_those_that_are_written() -> None:
    """Word by word."""
    lines = LOG.splitlines()
    parameters = lines[:4]
    assert write_lines(read_log(parameters).values) == parameters
    assert success_lines([0.002, 0.003], 16, "DeepMNIST") == lines[4:]


@pytest.mark.parametrize("code", blocks_in(DOCUMENT, ("python",)))
def test_the_code_runs(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Its assertions hold, and what it prints is there."""
    exec(compile(code, "experiments.md", "exec"), {})  # noqa: S102 - our own document
    assert capsys.readouterr().out.strip()
