"""The order, the columns and the states that verbs show of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

RUN = str(Path(__file__).parent / "terminal" / "run.jsonl")


def test_show_has_them(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As flags, of a table and of other forms."""
    monkeypatch.setenv("COLUMNS", "100")
    found = call("show", RUN, "--sort", "name", "--columns", "operator,ratio")
    assert found.stdout.splitlines()[0].split() == ["operator", "ratio"]
    assert found.stdout.splitlines()[1].startswith("Add ")
    rows = call("show", RUN, "--only", "unsupported", "--format", "csv").stdout.splitlines()[1:]
    assert rows
    assert all(",unsupported," in row for row in rows)
    wrong = call("show", RUN, "--only", "nosiy")
    assert wrong.returncode == 2
    assert "did you mean 'noisy'?" in wrong.stderr
    none = call("show", RUN, "--only", "timeout")
    assert none.returncode == 12
    assert "and --only timeout" in none.stderr
