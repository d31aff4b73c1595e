"""Columns made to fit."""

from __future__ import annotations

from opperf.reporting.layout import Column, fits, render, share_out
from opperf.reporting.text import cell_width

NAMES = Column(header="name", cells=["a long operator", "b"], least=6)
TIMES = Column(header="time", cells=["1 us", "12.5 us"], align="right")


def test_columns_have_room_where_there_is_room() -> None:
    """Numbers end below each other, and nothing is cut."""
    assert render([NAMES, TIMES], 80) == [
        "name                time",
        "a long operator     1 us",
        "b                12.5 us",
    ]


def test_only_columns_that_may_be_cut_are_cut() -> None:
    """The text loses its end, the number stays."""
    assert render([NAMES, TIMES], 19) == [
        "name           time",
        "a long op…     1 us",
        "b           12.5 us",
    ]
    assert fits([NAMES, TIMES], 15)
    assert not fits([NAMES, TIMES], 14)


def test_a_width_that_is_too_small_cuts_the_lines() -> None:
    """No line is wider than the terminal, whatever it costs."""
    lines = render([NAMES, TIMES], 10)
    assert all(len(line) <= 10 for line in lines)
    assert lines[2] == "b       1…"


def test_spare_width_is_shared_evenly() -> None:
    """A column that needs less than its share leaves the rest to the others."""
    texts = [Column(header="", cells=["x" * width], least=2) for width in (4, 50, 50)]
    assert share_out(texts, 6 + 4 + 20) == [4, 11, 11]
    assert share_out(texts, 6 + 4 + 21) == [4, 11, 12]


def test_ascii_columns_have_ascii_ellipses() -> None:
    """Three dots."""
    assert render([NAMES], 8, ascii_only=True)[1] == "a lon..."


def test_columns_are_as_wide_as_a_terminal_shows_them() -> None:
    """A Chinese character takes two columns, a combining mark none."""
    names = Column(header="name", cells=["漢字漢字", "e\u0301te\u0301", "plain"], least=4)
    wide = render([names, Column(header="n", cells=["1", "2", "3"])], 80)
    assert wide == ["name      n", "漢字漢字  1", "e\u0301te\u0301       2", "plain     3"]
    narrow = render([names, Column(header="n", cells=["1", "2", "3"])], 9)
    assert all(cell_width(line) <= 9 for line in narrow)
    assert narrow[1] == "漢字…  1"
