"""Hostile options of every verb, in this process and in a folder of their own.

Whatever would start a process, reach for the network, write outside of the folder or watch the
processor for seconds is stopped there: so far, the command was accepted.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
import tempfile
import warnings
from argparse import _SubParsersAction
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from fuzzing import values
from fuzzing.tally import ACCEPTED, REFUSED, TRACEBACK, UNCLEAR, StartedError
from opperf.cli import main
from opperf.cli.parser import VERBS, make_parser
from opperf.core.configuration.options import OPTIONS

if TYPE_CHECKING:
    from argparse import Action, ArgumentParser
    from collections.abc import Iterator
    from random import Random

    from fuzzing.tally import Tally

STARTS = (
    "subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "os.exec",
    "os.spawn", "socket.connect", "socket.getaddrinfo", "os.kill", "os.killpg",
)  # fmt: skip
CHANGES = (
    "os.remove", "os.rename", "os.mkdir", "os.rmdir", "shutil.rmtree", "os.truncate", "os.chmod",
    "os.link", "os.symlink", "sqlite3.connect",
)  # fmt: skip
CODES = (0, 1, 2, 10, 11, 12, 13, 14, 128, 130)
REFUSING = (2, 128)
"""The latter of `opperf bisect --step`: at it, `git bisect run` stops."""
PLAUSIBLE = (
    "runs", "runs/one", "one", "runs/one/results.jsonl", "store.db", "sqlite:///store.db",
    "name=Add", "Add", "category=gemm", "1", "2", "0", "10", "0.5", "5%", "1d", "last", "numpy",
    "float32", "small", "all", "cpu", "json", "csv", "table", "made.json", "made.html", "made.csv",
    "1GB", "5s", "lhs=(2,2)", "OMP_NUM_THREADS=1", "hi", "2026-11-22", "postgresql://127.0.0.1:1/x",
    "note", "main", ".",
)  # fmt: skip


class Folder:
    """A folder with a run in it, made anew now and then, and the only one that may be changed."""

    def __init__(self, path: Path, journal: bytes) -> None:
        self.path = path.resolve()
        self.journal = journal
        self.watching = False
        sys.addaudithook(self.watch)

    def renew(self) -> None:
        """Remove what commands have left, and put the run back."""
        for left in self.path.iterdir():
            shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()
        run = self.path / "runs" / "one"
        run.mkdir(parents=True)
        (run / "results.jsonl").write_bytes(self.journal)
        (self.path / "home").mkdir()

    def watch(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Stop what leaves this folder; Python calls this before it does anything of that kind."""
        if not self.watching:
            return
        writes = event == "open" and writing(arguments)
        if event in STARTS or ((event in CHANGES or writes) and not self.holds(arguments[0])):
            raise StartedError(event)

    def holds(self, path: object) -> bool:
        """Return whether a path lies here; a descriptor was opened before."""
        if isinstance(path, int) or path in ("/dev/null", ":memory:"):
            return True
        text = os.fsdecode(path) if isinstance(path, (str, bytes, os.PathLike)) else ""
        with contextlib.suppress(OSError, ValueError):
            return (
                Path(text.removeprefix("file:").partition("?")[0])
                .resolve()
                .is_relative_to(self.path)
            )
        return False

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Be in the folder, with a home and a temporary folder there, and watch."""
        before, environment = Path.cwd(), dict(os.environ)
        home = str(self.path / "home")
        os.environ.update(HOME=home, XDG_CACHE_HOME=home, TMPDIR=home, COLUMNS="100")
        tempfile.tempdir = None
        os.chdir(self.path)
        self.watching = True
        try:
            with patch("opperf.cli.verbs.doctor.watch", side_effect=StartedError):
                yield
        finally:
            self.watching = False
            os.chdir(before)
            os.environ.clear()
            os.environ.update(environment)
            tempfile.tempdir = None


def writing(arguments: tuple[Any, ...]) -> bool:
    """Return whether a file is opened to be written."""
    _, mode, flags = arguments
    if isinstance(mode, str):
        return any(letter in mode for letter in "wax+")
    return bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))


def try_command(random: Random, tally: Tally, folder: Folder) -> None:
    """Carry out a command with hostile options, variables and settings."""
    words = command(random)
    variables = {
        option.variable: word(random).replace("\0", "")
        for option in OPTIONS
        if random.random() < 0.01
    }
    variables = {name: text for name, text in variables.items() if not text.isascii() or text}
    settings = toml(random) if random.random() < 0.05 else None

    def carry_out() -> str:
        out, told = io.StringIO(), io.StringIO()
        with folder.alone(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(told):
            os.environ.update(variables)
            if settings is not None:
                Path("opperf.toml").write_text(settings, "utf-8", "surrogateescape")
            sys.stdin = io.StringIO()
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("default")
                    code = main(words)
            except SystemExit as ending:
                code = ending.code if isinstance(ending.code, int) else 1
            finally:
                sys.stdin = sys.__stdin__
                Path("opperf.toml").unlink(missing_ok=True)
        return judge(code, told.getvalue())

    tally.attempt("options", (words, variables, settings), carry_out)


def judge(code: int, told: str) -> str:
    """Return what a command came to, by its exit code and what it said.

    A filter that cannot be parsed is shown below the line, with a caret at the place.
    """
    if "Traceback" in told or code not in CODES:
        return TRACEBACK
    if code not in REFUSING:
        return ACCEPTED
    first, *place = [line for line in told.split("\n") if line] or [""]
    fine = first.startswith("opperf") and told.replace("\n", "").isprintable()
    pointed = len(place) in (0, 2) and all(line.startswith("  ") for line in place)
    return REFUSED if fine and pointed else UNCLEAR


def command(random: Random) -> list[str]:
    """Return a verb with some of its options and all that it needs besides."""
    verb = random.choice([*VERBS])
    outer = subcommands(make_parser(verb))
    return [verb, *arguments(random, outer[verb])] if random.random() < 0.99 else [word(random)]


def subcommands(parser: ArgumentParser) -> dict[str, ArgumentParser]:
    """Return a parser's verbs or steps by name; none where it has none."""
    for action in parser._actions:  # noqa: SLF001 - argparse tells it nowhere else
        if isinstance(action, _SubParsersAction):
            return dict(action.choices)
    return {}


def arguments(random: Random, parser: ArgumentParser) -> list[str]:
    """Return some options with values, and every argument by position."""
    found: list[str] = []
    options: list[Action] = [each for each in parser._actions if each.option_strings]  # noqa: SLF001
    for action in random.sample(options, min(random.choice((0, 1, 1, 2, 3)), len(options))):
        found.append(random.choice(action.option_strings))
        if action.nargs != 0:
            found.append(fitting(random, action))
    for action in parser._actions:  # noqa: SLF001
        if action.option_strings or isinstance(action, _SubParsersAction):
            continue
        count = random.choice((0, 1, 2)) if action.nargs in ("*", "?", "+") else 1
        found += [fitting(random, action) for _ in range(count)]
    steps = subcommands(parser)
    if steps:
        step = random.choice([*steps])
        found += [step, *arguments(random, steps[step])]
    return found


def fitting(random: Random, action: Action) -> str:
    """Return a value of an option: one of its choices, another option's, or a hostile one."""
    if action.choices and random.random() < 0.7:
        return str(random.choice([*action.choices]))
    return word(random)


def word(random: Random) -> str:
    """Return something typed; no argument of a command can hold a NUL."""
    kind = random.random()
    if kind < 0.5:
        return random.choice(PLAUSIBLE)
    if kind < 0.8:
        return random.choice(values.TEXTS)
    return values.text(random, random.choice(random.choice((values.WHOLE, values.FLOATS))))


def toml(random: Random) -> str:
    """Return a configuration file with one setting, hostile or torn."""
    name = random.choice([option.name for option in OPTIONS])
    wild = (
        "[]",
        "{}",
        "[[]]",
        "1e400",
        "nan",
        "-1",
        "''",
        "[1, 'a']",
        "9" * 30,
        "2026-01-01",
        "'x",
    )
    return f"{name} = {random.choice(wild)}\n"
