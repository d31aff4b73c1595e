"""The notebooks of the documentation: run as a reader runs them, and kept with what they show."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import nbformat
import pytest

from docs.execute_notebooks import NOTEBOOKS, execute

if TYPE_CHECKING:
    from pathlib import Path

PLACE = re.compile(r"/(?:root|home|tmp|work)/")
WHERE = re.compile(r"Python \d+\.\d+\.\d+, \d{4}-\d\d-\d\d\n")


def outputs(notebook: Any, kind: str) -> list[str]:
    """Return what the cells of a notebook show of a kind."""
    return [
        str(output["data"][kind])
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if kind in output.get("data", {})
    ]


def kinds(cell: Any) -> list[str]:
    """Return of which kinds the outputs of a cell are."""
    shown = (output.get("data", ["text"]) for output in cell.get("outputs", ()))
    return sorted(kind for each in shown for kind in each)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_executed(path: Path) -> None:
    """All of it at once, without an error, and with the machine and the day; no place is in it."""
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == [*range(1, len(code) + 1)]
    shown = [output for cell in code for output in cell.outputs]
    assert "error" not in {output.output_type for output in shown}
    assert WHERE.search(code[-1].outputs[-1].text)
    assert PLACE.search(path.read_text(encoding="utf-8")) is None


@pytest.mark.filterwarnings("ignore::DeprecationWarning:zmq", "ignore::DeprecationWarning:jupyter")
@pytest.mark.parametrize(
    ("name", "tables", "images"), [("measure", ["softmax"], 0), ("runs", ["Exp", "results.db"], 3)]
)
def test_a_notebook_runs(
    name: str, tables: list[str], images: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From its first cell to its last, with the tables and plots that it is there for."""
    for variable in ("HOME", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR"):
        monkeypatch.setenv(variable, str(tmp_path / variable.lower()))
    (path,) = (path for path in NOTEBOOKS if path.stem == name)
    notebook = execute(path, str(tmp_path))
    shown = outputs(notebook, "text/html")
    assert all(any(words in text for text in shown) for words in tables)
    assert len(outputs(notebook, "image/png")) == images
    kept = nbformat.read(path, as_version=4)
    assert [kinds(cell) for cell in kept.cells] == [kinds(cell) for cell in notebook.cells]
