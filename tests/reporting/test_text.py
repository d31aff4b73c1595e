"""Text for other people's terminals."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opperf.reporting.text import (
    MOST_LINES,
    cell_width,
    clean,
    columns,
    is_ascii,
    shorten,
    to_ascii,
    without_controls,
    wrap,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_what_a_terminal_would_obey_is_removed(hostile: str) -> None:
    """ESC, line breaks and direction overrides go; what is left of them is harmless text."""
    text = clean(hostile)
    assert text == '</script>[2J| =cmd()<img src=x onerror="alert(1)">'


@given(st.text())
def test_clean_text_is_one_printable_line(text: str) -> None:
    """Whatever goes in, lone surrogates included, UTF-8 and a terminal can take what comes out."""
    cleaned = clean(text)
    assert cleaned.isprintable()
    assert cleaned.splitlines() in ([], [cleaned])
    assert clean(cleaned) == cleaned
    cleaned.encode()


def test_columns_of_a_line_survive_the_removal_of_controls() -> None:
    """Spaces that align a line are kept where only control characters are to go."""
    assert without_controls("a   b\x1b[0m\r") == "a   b[0m"


@pytest.mark.parametrize(
    ("width", "text"), [(9, "operators"), (8, "operato…"), (1, "…"), (0, ""), (-1, "")]
)
def test_long_text_is_cut_with_an_ellipsis(width: int, text: str) -> None:
    """The ellipsis counts, and there is no width at which the text is wider."""
    assert shorten("operators", width) == text


def test_the_ellipsis_is_ascii_where_asked() -> None:
    """Three dots stand for it."""
    assert shorten("operators", 8, ascii_only=True) == "opera..."
    assert shorten("operators", 2, ascii_only=True) == ".."


def test_other_characters_become_question_marks() -> None:
    """One for each, so that columns stay where they are."""
    assert to_ascii("Größe") == "Gr??e"


@pytest.mark.parametrize(
    ("encoding", "expected"), [("utf-8", False), ("ascii", True), ("latin-1", True)]
)
def test_a_stream_says_by_its_encoding_whether_it_is_ascii(
    encoding: str, *, expected: bool
) -> None:
    """LANG=C has ASCII; Latin-1 lacks the ellipsis and the bar."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    assert is_ascii(stream) is expected


def test_a_stream_in_memory_takes_everything() -> None:
    """It has no encoding."""
    assert not is_ascii(io.StringIO())


def test_the_width_of_no_terminal_is_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file and a stream in memory have none."""
    monkeypatch.delenv("COLUMNS", raising=False)
    assert columns(io.StringIO()) == 80
    with (tmp_path / "file").open("w") as stream:
        assert columns(stream, default=120) == 120


@pytest.mark.parametrize(("value", "expected"), [("132", 132), ("0", 80), ("wide", 80)])
def test_columns_is_obeyed_where_it_is_a_number(
    value: str, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """COLUMNS goes first, as everywhere."""
    monkeypatch.setenv("COLUMNS", value)
    assert columns(io.StringIO()) == expected


def test_a_long_line_is_wrapped_below_itself() -> None:
    """Further in than it began, whole words, and cut only where it takes too many lines."""
    found = wrap("  " + "word " * 20, 50)
    assert found[0].startswith("  word")
    assert all(line.startswith("    word") for line in found[1:])
    assert " ".join(" ".join(found).split()) == " ".join(["word"] * 20)
    endless = wrap("word " * 1000, 50)
    assert len(endless) == MOST_LINES
    assert endless[-1].endswith("word…")
    assert max(map(len, [*found, *endless])) <= 50
    assert wrap("word " * 1000, 50, ascii_only=True)[-1].endswith("word...")


@pytest.mark.parametrize("width", [0, 1, 20])
def test_a_narrow_terminal_gets_lines_that_are_cut(width: int) -> None:
    """A column of single words helps nobody."""
    (line,) = wrap("word " * 20, width)
    assert len(line) <= width


def test_an_empty_line_is_no_line() -> None:
    """Who wants one says so."""
    assert wrap("", 80) == []


def test_lines_are_wrapped_by_columns() -> None:
    """None of a sentence in Chinese is wider than the terminal, and nothing of it is lost."""
    words = "漢字" * 60 + " and " + "字" * 20
    lines = wrap(words, 50)
    assert max(map(cell_width, lines)) <= 50
    assert "".join(lines).replace(" ", "") == words.replace(" ", "")
    assert wrap("字" * 400, 50)[-1].endswith("…")
