"""Color: where it is asked for, and nothing else of a text."""

from __future__ import annotations

import io
import re

import pytest

from opperf.reporting.color import colored, has_color

TABLE = "operator  time\nAdd [red]  ! 12.5 ±9.9%\nDot  crashed SIGSEGV\nExp  SLOWER (confirmed)"


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what the environment of the tests says of color."""
    for name in ("NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


@pytest.mark.parametrize(
    ("variables", "on_terminal", "in_pipe"),
    [
        ({}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"CLICOLOR_FORCE": "1"}, True, True),
        ({"CLICOLOR_FORCE": "0"}, True, False),
        ({"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False, False),
        ({"CLICOLOR": "0"}, False, False),
        ({"TERM": "dumb"}, False, False),
    ],
)
def test_the_usual_variables_are_obeyed(
    variables: dict[str, str], monkeypatch: pytest.MonkeyPatch, *, on_terminal: bool, in_pipe: bool
) -> None:
    """NO_COLOR goes before CLICOLOR_FORCE, and a pipe gets none unless that is asked for."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert (has_color(Terminal()), has_color(io.StringIO())) == (on_terminal, in_pipe)


def test_color_adds_nothing_but_color() -> None:
    """Rich's markup in a name stays text, and without its colors the table is as it was."""
    found = colored(TABLE, Terminal())
    assert re.sub(r"\x1b\[[0-9;]*m", "", found) == TABLE
    assert "[red]" in found
    for text in ("! 12.5 ±9.9%", "crashed", "SLOWER"):
        assert re.search(r"\x1b\[[0-9;]+m" + re.escape(text), found)
    assert colored(TABLE, io.StringIO()) == TABLE
