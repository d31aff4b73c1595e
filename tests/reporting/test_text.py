"""Text for other people's terminals."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opperf.reporting.text import clean, columns, is_ascii, shorten, to_ascii, without_controls

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
