"""Run the notebooks of docs/ and keep what they show: ``python docs/execute_notebooks.py``.

Each runs in an empty folder of its own, as what it stores is not to be kept. Its last cell says on
which machine and on which day.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = sorted(Path(__file__).with_name("notebooks").glob("*.ipynb"))
PATIENCE = 300


def execute(path: Path, folder: str) -> Any:
    """Return a notebook with its outputs, run in a folder.

    Raises:
        CellExecutionError: a cell raises.
    """
    notebook = nbformat.read(path, as_version=4)
    beside = Path(sys.executable).parent  # where the command opperf is
    resources = {"metadata": {"path": folder}}
    NotebookClient(
        notebook, timeout=PATIENCE, kernel_name="python3", resources=resources,
        record_timing=False, coalesce_streams=True,
    ).execute(env={**os.environ, "PATH": f"{beside}{os.pathsep}{os.environ['PATH']}"})  # fmt: skip
    return notebook


def main() -> None:
    """Replace the outputs of all notebooks by today's."""
    for path in NOTEBOOKS:
        with TemporaryDirectory() as folder:
            text = nbformat.writes(execute(path, folder))
        # What a reader sees has the name of the reader's own folder there.
        path.write_text(f"{text.replace(f'{folder}/', '')}\n", encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
