"""docs/peers.md: every cell says how it was seen, and nothing that it names is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/peers.md").read_text(encoding="utf-8")
KEYS = dict(zip(("opperf", "asv", "pytest-benchmark", "pyperf", "hyperfine", "torch", "TritonBench",
                 "rustc-perf"), "oabphtkr", strict=False))  # fmt: skip
"""The columns, and the letter that each one's evidence begins with."""
CELL = re.compile(r"(read )?(yes|partly|no) ([a-z]\d+)")
EVIDENCE = re.compile(r"^(?:- )?([a-z]\d+)(?::| ) *\S", re.MULTILINE)


def rows_under(heading: str) -> list[list[str]]:
    """Return the cells of the table below a heading, its head included."""
    _, _, below = TEXT.partition(f"\n## {heading}\n")
    lines = [line for line in below.partition("\n## ")[0].splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if set(row[0]) != {"-"}]


HEAD, *ROWS = rows_under("Point by point")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_every_cell_is_marked_and_says_how_it_was_seen(row: list[str]) -> None:
    """By a line of the tool that the column is of."""
    assert HEAD[1:] == [*KEYS]
    assert len(row) == len(HEAD)
    for tool, cell in zip(HEAD[1:], row[1:], strict=True):
        found = CELL.fullmatch(cell)
        assert found, cell
        assert found[3][0] == KEYS[tool], cell


def test_every_line_of_evidence_is_there_once_and_referred_to() -> None:
    """And no cell refers to one that is missing."""
    given = EVIDENCE.findall(TEXT.partition("\n## What showed it\n")[2])
    named = [CELL.fullmatch(cell) for row in ROWS for cell in row[1:]]
    assert len(given) == len(set(given))
    assert {found[3] for found in named if found} == set(given)


def test_what_was_only_read_is_never_said_to_be_tried() -> None:
    """rustc-perf could not be built here: its cells are read ones, or of what it is not for."""
    column = HEAD.index("rustc-perf")
    assert all(row[column].startswith("read ") or row[column] == "no r1" for row in ROWS)


def test_the_tools_are_named_with_their_versions() -> None:
    """Each column has a row that says which version it was, and whence."""
    _, *tools = rows_under("How each was had")
    assert len(tools) == len(KEYS)
    assert all(re.search(r"\d", version) and origin for _, version, _, origin in tools)


def test_what_opperf_s_cells_name_exists() -> None:
    """Paths of tests; its verbs are understood by tests/docs/test_commands.py."""
    lines = re.findall(r"^- o\d+: (.+)$", TEXT, re.MULTILINE)
    assert len(lines) == len(ROWS)
    for line in lines:
        paths = re.findall(r"(?<!\S)tests/[\w/.]+", line)
        assert paths or "`opperf " in line, line
        assert all((ROOT / path.rstrip(".")).exists() for path in paths), line
