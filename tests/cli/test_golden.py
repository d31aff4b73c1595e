"""What `run`, `ab` and `history` print, to the letter, from records of real runs.

Each text beside terminal/ was looked at before it was kept. `show` prints a stored run and a stored
comparison by the same functions as the verbs that measure them. After an intended change, write
what the failing test found over the text, and look at it again.
"""

from __future__ import annotations

import fcntl
import importlib.util
import os
import pty
import re
import struct
import subprocess
import termios
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).with_name("terminal")
YEAR = Path(__file__).parents[1] / "storing" / "database" / "test_year.py"
VERBS = ("run", "ab", "history")
PLAIN = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
"""A locale without more than ASCII, which Python would replace by one of UTF-8 otherwise."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, make_result: Callable[..., Any]) -> str:
    """Return a store of the simulated year of the tests of histories."""
    spec = importlib.util.spec_from_file_location("test_year", YEAR)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    folder = tmp_path_factory.mktemp("year")
    journal, database = folder / "year.jsonl", folder / "year.db"
    journal.write_text("".join(r.to_json() + "\n" for r in module.year(make_result)))
    assert main(["db", "init", "--store", str(database)]) == 0
    assert main(["import", str(journal), "--store", str(database)]) == 0
    return str(database)


@pytest.fixture
def words(store: str) -> dict[str, tuple[str, ...]]:
    """Return the command that prints what each verb does."""
    return {
        "run": ("show", str(HERE / "run.jsonl")),
        "ab": ("show", str(HERE / "ab")),
        "history": ("history", "Dot", "--store", store),
    }


def kept(name: str) -> str:
    """Return a text that was looked at."""
    return (HERE / f"{name}.txt").read_text(encoding="utf-8")


def on_a_terminal(opperf: Any, width: int, *words: str, **variables: str) -> str:
    """Return what a command writes on a pseudo terminal of that width, which nothing else names."""
    master, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    environment = {**opperf.environment(), "TERM": "xterm", **variables}
    del environment["COLUMNS"]
    with subprocess.Popen(
        opperf.command(*words), stdin=terminal, stdout=terminal, stderr=terminal, env=environment
    ):
        os.close(terminal)
        parts = []
        while part := read(master):
            parts.append(part)
    os.close(master)
    return b"".join(parts).decode().replace("\r\n", "\n")


def read(master: int) -> bytes:
    """Return some of what was written; nothing once the other end is closed, which is an error."""
    try:
        return os.read(master, 2**16)
    except OSError:
        return b""


@pytest.mark.parametrize("width", [80, 160])
@pytest.mark.parametrize("verb", VERBS)
def test_on_a_terminal(opperf: Any, words: Any, verb: str, width: int) -> None:
    """As wide as the terminal says that it is, without any control character but color."""
    colored = on_a_terminal(opperf, width, *words[verb])
    text = re.sub(r"\x1b\[[0-9;]*m", "", colored)
    assert text == kept(f"{verb}-{width}")
    assert (colored != text) == (verb != "history")
    assert all(line.isprintable() and len(line) <= width for line in text.splitlines())


@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_without_color(opperf: Any, words: Any, variables: dict[str, str]) -> None:
    """As it is asked for, or as the terminal can."""
    assert on_a_terminal(opperf, 80, *words["run"], **variables) == kept("run-80")


@pytest.mark.parametrize(
    "variables", [{}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "1", "TERM": "xterm"}, {"LANG": "C"}]
)
@pytest.mark.parametrize("verb", VERBS)
def test_piped(
    call: Any, monkeypatch: pytest.MonkeyPatch, words: Any, verb: str, variables: dict[str, str]
) -> None:
    """The same, as wide as COLUMNS says; where nobody says, as a wide terminal."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("COLUMNS", "80")
    assert call(*words[verb]).stdout == kept(f"{verb}-80")
    monkeypatch.delenv("COLUMNS")
    assert call(*words[verb]).stdout == kept(f"{verb}-160")


@pytest.mark.parametrize("verb", VERBS)
def test_in_a_locale_of_ascii(opperf: Any, words: Any, verb: str) -> None:
    """No character is beyond it, and nothing is missing for that."""
    found = opperf.run(*words[verb], COLUMNS="80", **PLAIN)
    assert found.stdout == kept(f"{verb}-80-ascii")
    assert found.stdout.isascii()


@pytest.mark.parametrize("verb", VERBS)
def test_a_reader_that_leaves_early(opperf: Any, words: Any, verb: str) -> None:
    """It is told of no error."""
    command = " ".join(opperf.command(*words[verb]))
    found = opperf.execute(["sh", "-c", f"{command} | head -n 1"])
    assert (found.stdout.count("\n"), found.stderr) == (1, "")
