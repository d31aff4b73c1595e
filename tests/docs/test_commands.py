"""Every command that README, CONTRIBUTING and docs show is typed, and does what it is shown for.

What stands there is typed as it stands, into a shell, in a folder with runs, a comparison and a
store: a command that is new in a document is typed without anybody's doing. What takes long is
typed by hand, `TYPED=long pytest tests/docs/test_commands.py`; tables.py has all exceptions.
"""

from __future__ import annotations

import fcntl
import os
import re
import shlex
import shutil
import sys
from argparse import ArgumentParser, Namespace
from configparser import ConfigParser
from runpy import run_path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from benchmark_driver import default_verb
from opperf.cli.common.options import configuration_of, parse_inputs
from opperf.cli.parser import VERBS, make_parser, with_default_verb
from opperf.core.filters.language import parse
from opperf.planning.selection import check_names
from opperf.storing import read
from tests.docs import tables
from tests.docs.commands import ROOT, blocks_in, commands, documents, hidden_in
from tests.docs.place import Place, make_place, mark_ready

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.docs.commands import Command

COMMANDS = commands(ROOT)
WRITTEN = re.compile(r"(?:--(?:html|md|csv|junit|chrome-trace|output-file)| >) (\S+)")
DRIVER = ["python", "benchmark_driver.py"]
TYPED_BY_HAND = os.environ.get("TYPED") == "long"


def script_of(command: Command) -> str | None:
    """Return the program of the checkout, other than the driver, that a command starts."""
    words = shlex.split(command.bare)
    known = words[:2] == DRIVER or words[1:2] == ["-m"]
    return words[1] if words[0] == "python" and not known else None


def is_typed(command: Command) -> bool:
    """Return whether a command is carried out."""
    if command.is_name or command.text in tables.NOT_TYPED or script_of(command):
        return False
    return TYPED_BY_HAND or command.text not in tables.LONG


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Return the folder that is copied for each command, made by one of pytest's processes."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    path = shared / "documented"
    with (shared / "documented.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            unready = path.with_name("documented-unready")
            unready.mkdir()
            make_place(unready)
            unready.rename(path)
    return Place(path)


@pytest.fixture
def place(prepared: Place, tmp_path: Path) -> Place:
    """Return a copy of the folder."""
    path = shutil.copytree(prepared.path, tmp_path / "place", symlinks=True)
    mark_ready(path)
    return Place(path)


@pytest.mark.parametrize(
    "command", [c for c in COMMANDS if is_typed(c)], ids=lambda command: command.text
)
def test_a_command_does_what_it_is_shown_for(command: Command, place: Place) -> None:
    """It ends with the documented exit code, and says or writes what it should."""
    text = command.text
    if prepare := tables.PREPARED.get(text):
        prepare(place)
    typed = tables.filled(text, place)
    found = place.type(typed, **tables.NARROWER.get(text, {}))
    said = found.stdout + found.stderr
    assert found.returncode in tables.EXPECTED.get(text, (0,)), said
    assert "Traceback" not in said
    files = [place.path / name for name in WRITTEN.findall(typed)]
    assert all(file.stat().st_size for file in files)
    if (summary := place.path / tables.SUMMARY).exists():
        said += summary.read_text(encoding="utf-8")
    assert said.strip() or files or text in tables.SILENT
    assert re.search(tables.SHOWN.get(text, ""), said), said


@pytest.mark.parametrize(
    ("service", "dtype", "statuses"),
    [("cron", "float32", {"ok", "noisy", "unsupported"}), ("systemd", "bfloat16", {"unsupported"})],
)
def test_the_recipe_of_a_night(service: str, dtype: str, statuses: set[str], place: Place) -> None:
    """What cron and systemd carry out looks for changes, also where nothing could be measured."""
    document = (ROOT / "docs/store.md").read_text(encoding="utf-8")
    script = (cron if service == "cron" else unit)(document)
    found = place.type(script.replace("/srv/opperf", str(place.path)), OPPERF_DTYPE=dtype)
    said = found.stdout + found.stderr
    assert "Traceback" not in said
    assert re.search(r"changes in \d+ series with new results", said), said
    assert found.returncode in {0, tables.WORSE}
    measured = {result.status for result in read(place.runs[-1].results_path).results}
    assert measured <= statuses
    assert (measured == {"unsupported"}) == (service == "systemd")


def cron(document: str) -> str:
    """Return what cron gives to the shell."""
    (block,) = blocks_in(document, ("cron",))
    *variables, line = block.splitlines()
    return "\n".join([*(f"export {one}" for one in variables), line.split(maxsplit=5)[5]])


def unit(document: str) -> str:
    """Return a script that does what systemd does with the service."""
    (block,) = blocks_in(document, ("ini",))
    lines = [line.partition("=") for line in block.splitlines() if line.startswith("ExecStart=")]
    parser = ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(block)
    service = parser["Service"]
    fine = "|".join(["0", *service["SuccessExitStatus"].split()])
    check = f"code=$?; case $code in {fine}) ;; *) exit $code;; esac"
    steps = [f"{line}; {check}" for *_, line in lines]
    begin = [f"cd {service['WorkingDirectory']}", f"export {service['Environment']}"]
    return "\n".join([*begin, *steps])


@pytest.mark.parametrize(
    "command", [c for c in COMMANDS if not is_typed(c) or c.text in tables.LONG],
    ids=lambda command: command.text,
)  # fmt: skip
def test_what_is_not_typed_is_understood(
    command: Command, monkeypatch: pytest.MonkeyPatch, root: Path
) -> None:
    """The parser that would read it knows its options and takes their values."""
    words = shlex.split(command.bare.replace("VERB", "run"))
    program, *arguments = words
    if command.is_name and program == "opperf":
        with pytest.raises(SystemExit, match="0"):
            make_parser(arguments[0]).parse_args([*arguments, "--help"])
    elif program == "opperf" or words[:2] == DRIVER:
        driven = with_default_verb(words[2:], default_verb(words[2:]))
        understand(arguments if program == "opperf" else [*driven])
    elif script := script_of(command):
        monkeypatch.setattr("sys.argv", words[1:])
        monkeypatch.syspath_prepend(str((root / script).parent))
        understand_script(root / script, words[2:], monkeypatch)
    elif program == "make":
        targets = re.findall(r"^([a-z0-9-]+):", (root / "Makefile").read_text(), re.MULTILINE)
        assert arguments[0] in targets
    elif program == "pip":
        (extra,) = re.findall(r"\[(.+)\]", arguments[1])
        assert f"\n{extra} = [" in (root / "pyproject.toml").read_text(encoding="utf-8")
    else:
        assert program in {"pre-commit", "pytest"}
        assert all((root / word).exists() for word in arguments if "/" in word)


ELSEWHERE = ("name=ToRad", "name=Squash")
"""Operators of a plug-in that is shown beside them, and of the repository that is bisected."""


def understand(words: Sequence[str]) -> None:
    """Have opperf's own parsers read a command."""
    parsed = make_parser(words[0]).parse_args(words)
    configuration_of(parsed)
    chosen = parse(getattr(parsed, "filter", ""))
    if chosen.text not in ELSEWHERE:
        check_names(chosen)
    parse_inputs(getattr(parsed, "input", ()))


class Understood(BaseException):
    """A program has read its command line, and is not to go on."""


def understand_script(path: Path, words: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a program read its command line; one without a parser has no options but its words."""
    source = path.read_text(encoding="utf-8")
    if "ArgumentParser" not in source:
        assert all(word in source for word in words if word.startswith("-"))
        return
    read: Any = ArgumentParser.parse_args

    def end(
        parser: ArgumentParser, args: Any = None, namespace: Namespace | None = None
    ) -> NoReturn:
        raise Understood(read(parser, args, namespace))

    monkeypatch.setattr(ArgumentParser, "parse_args", end)
    with pytest.raises(Understood):
        run_path(str(path), run_name="__main__")


def test_every_verb_is_shown_in_the_readme() -> None:
    """There is an example of each verb that is typed."""
    shown = [shlex.split(c.bare) for c in COMMANDS if not c.is_name]
    verbs = {words[1] for words in shown if words[0] == "opperf"}
    assert verbs == set(VERBS)


def test_no_exception_is_of_a_command_that_is_gone() -> None:
    """What the tables name stands in a document, and every program there is in its table."""
    texts = {command.text for command in COMMANDS}
    listed = [tables.LONG, tables.NOT_TYPED, tables.NARROWER, tables.EXPECTED, tables.SHOWN]
    named = {text for table in [*listed, tables.PREPARED, tables.SILENT] for text in table}
    assert named - texts == set()
    scripts = {script for command in COMMANDS if (script := script_of(command))}
    assert set(tables.SCRIPTS) == scripts


@pytest.mark.parametrize("document", documents(ROOT), ids=lambda path: path.name)
def test_no_command_is_hidden(document: Path) -> None:
    """A command stands where it is found: in a block of a shell, or between backquotes."""
    assert [*hidden_in(document.read_text(encoding="utf-8"))] == []


@pytest.mark.usefixtures("both_frameworks")
def test_every_python_block_is_executed_or_compared(root: Path, opperf: Any) -> None:
    """They are pasted (README's by test_readme); those of docs/add-*.md are code, or followed."""
    found = {
        path: blocks_in(path.read_text(encoding="utf-8"), ("python",)) for path in documents(root)
    }
    assert len(found.pop(root / "README.md")) == 2
    adding = [path for path in found if path.name.startswith("add-")]
    shown = [block for path in adding for block in found.pop(path)]
    (declared,) = [block for block in shown if "class ArcTan" in block]
    (table,) = [block for block in shown if "trigonometric.ArcTan:" in block]
    found.pop(root / "docs/specs.md")  # tests/specs/test_document.py has them
    others = [block for text in found.values() for block in text]
    assert opperf.run("db", "init", "--store", "results.db").returncode == 0
    select = ("-k", "name in (Add, Dot)", "--size", "small", "--quick", "--store", "results.db")
    assert opperf.run("run", *select).returncode in {0, 11}
    for block in others:  # those of docs/python.md load the last run
        said = opperf.execute([sys.executable, "-c", block])
        assert said.returncode == 0, said.stderr
    assert declared in (root / "opperf/operators/trigonometric/trigonometric.py").read_text(
        encoding="utf-8"
    )
    entry = table.splitlines()[1]
    assert entry in (root / "opperf/pytorch_benchmarks/tables/trigonometric.py").read_text(
        encoding="utf-8"
    )
    followed = (root / "tests/docs/test_adding.py").read_text(encoding="utf-8")
    words = re.findall(r"""block\(["']python["'], ["'](.+?)["']\)""", followed)
    for recipe in (block for block in shown if block not in {declared, table}):
        assert [word in recipe for word in words].count(True) == 1, recipe
