"""Every verb's table on screens of every width: no line too wide, and nothing lost in silence."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest

from opperf.cli import main
from opperf.reporting.text import cell_width
from tests.readers.documents import AB, ARMS, OTHER, RUN, SWEEP
from tests.readers.workshop import STORE, Workshop, folder_in_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTHS = (20, 40, 60, 80, 100, 140, 200)
HIDDEN = re.compile(r"not shown at (\d+)\s+columns:((?:[^\n]*\n)(?:  [^\n]*\n)*)")
TABLES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "run": (("show", RUN), ("operator", "numpy", "pytorch", "ratio")),
    "sweep": (("show", SWEEP), ("operator", "numpy")),
    "ab": (("show", AB), ("operator", "a", "b", "ratio", "verdict")),
    "arms": (("show", ARMS), ("operator", "ref", "one", "other")),
    "compare": (("compare", RUN, OTHER), ("operator", "a", "b", "ratio", "verdict")),
    "statistics": (("show", RUN, "--statistics"), ("operator", "p50")),
    "metrics": (("show", RUN, "--metrics", "time,workspace"), ("operator", "time", "workspace")),
    "standings": (("baseline", "show", *STORE), ("operator", "baseline", "newest", "ratio")),
    "list": (("list", "-k", "category=gemm"), ("name", "category", "mxnet", "pytorch")),
    "calls": (("list", "--calls", "toy.calls.json"), ("operator", "share", "kind")),
    "changes": (("changes", "--since", "2026-01-01", "--format", "table", *STORE), ()),
    "history": (("history", "Add", *STORE), ()),
    "models": (("model", "--list"), ("model", "mxnet", "pytorch")),
    "config": (("config",), ("option", "value", "origin")),
}
"""The words of a command, and which columns matter."""


@pytest.fixture(scope="module")
def stored() -> Iterator[Workshop]:
    """Return a folder with a stored run of each kind."""
    with folder_in_memory() as folder:
        yield Workshop(folder)


def shown(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...], width: int,
) -> str:  # fmt: skip
    """Return what a command prints on a terminal of this width."""
    capsys.readouterr()
    with workshop.here():
        monkeypatch.setitem(os.environ, "COLUMNS", str(width))
        main(words)
    return capsys.readouterr().out


def heads(text: str) -> set[str]:
    """Return the names above the columns of the first table."""
    cells = re.split(r"  +", text.splitlines()[0].strip())
    return {name for cell in cells for name in cell.partition(" [")[0].split(", ")}


def hidden(text: str) -> set[str]:
    """Return the columns that are named as not shown."""
    return {
        name.strip().removeprefix("arm ")
        for _, names in HIDDEN.findall(text)
        for name in " ".join(names.split()).split(",")
    }


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", TABLES)
def test_no_line_is_wider_than_the_screen_and_hidden_columns_are_named(
    stored: Workshop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    kind: str, width: int,
) -> None:  # fmt: skip
    """What matters is there from 80 columns on; where a name is wider than its place it is cut."""
    words, matter = TABLES[kind]
    text = shown(stored, monkeypatch, capsys, words, width)
    assert text
    assert max(map(cell_width, text.splitlines())) <= width
    if not matter:  # lines, no columns
        return
    wide = shown(stored, monkeypatch, capsys, words, 10_000)
    assert heads(wide) >= set(matter)
    assert not hidden(wide)
    if width >= 80:
        assert heads(text) >= set(matter)
    lost = {name for name in heads(wide) - heads(text) - hidden(text) if name}
    cut = [name.removesuffix("…") for name in heads(text) if name.endswith("…")]
    assert not [name for name in lost if not any(map(name.startswith, cut))]


def test_a_terminal_narrower_than_a_name_cuts_the_name(
    stored: Workshop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The time stays, with its unit."""
    lines = shown(stored, monkeypatch, capsys, ("show", RUN, "-k", "name=AddReLU"), 20)
    head, row, *_ = lines.splitlines()
    assert head.split()[1:] == ["numpy", "[us]"]
    assert row.split() == ["AddReLU…", "2.20"]


@pytest.mark.parametrize("form", ["json", "csv"])
def test_programs_get_seconds(
    stored: Workshop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    """However narrow the screen is."""
    words = ("show", RUN, "--format", form)
    text = shown(stored, monkeypatch, capsys, words, 20)
    assert text == shown(stored, monkeypatch, capsys, words, 200)
    assert "seconds" in text
    assert "[us]" not in text
