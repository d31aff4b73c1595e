"""The notebooks of the documentation: run as a reader runs them, and kept without outputs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))


def outputs(notebook: Any, kind: str) -> list[str]:
    """Return what the cells of a notebook show of a kind."""
    return [
        str(output["data"][kind])
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if kind in output.get("data", {})
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs(path: Path) -> None:
    """A figure without its machine and date says nothing, and each run would change the file."""
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)


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
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    (path,) = (path for path in NOTEBOOKS if path.stem == name)
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
    shown = outputs(notebook, "text/html")
    assert all(any(words in text for text in shown) for words in tables)
    assert len(outputs(notebook, "image/png")) == images
