"""Where a command's words and results go."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, written
from opperf.reporting import files
from opperf.reporting.rows import flat
from opperf.reporting.table import table
from opperf.reporting.text import columns, is_ascii, message
from opperf.storing import StorageError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Sequence
    from typing import TextIO

    from opperf.core.results.result import Result

PIPED = 160
"""Columns where nobody says how many there are: room for every column of the table."""


def say(line: str) -> None:
    """Print a line on stderr, where messages go; a closed pipe is no reason to stop.

    Nor is a signal's handler that interrupts another line, which is a RuntimeError.
    """
    with suppress(OSError, ValueError, RuntimeError):
        print(f"opperf: {message(line)}", file=sys.stderr, flush=True)


def teller(*, quiet: bool) -> Callable[[str], None]:
    """Return what tells of progress line by line, or tells nobody."""
    return (lambda _line: None) if quiet else say


@contextmanager
def leaving_early() -> Iterator[None]:
    """Let whoever reads our output stop reading; what was printed is flushed."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)


def forget_unsaid() -> None:
    """Drop lines that nobody took; Python would try again as it ends, and end with 120."""
    try:
        sys.stderr.flush()
    except (OSError, ValueError):
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Send what is still to be printed nowhere; Python would complain while it shuts down."""
    with suppress(OSError, ValueError):  # closed altogether
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


FORMS = ("json", "jsonl", "csv", "md")


@dataclass(frozen=True)
class Output:
    """The form of stdout, and a file beside it where one is asked for."""

    form: str
    path: Path | None
    file_form: str
    quiet: bool

    @classmethod
    def of(cls, arguments: Namespace) -> Output:
        """Return what the flags ask for; refuse now what could not be written in the end."""
        path = Path(arguments.output_file) if arguments.output_file else None
        if path is None and arguments.output_format:
            raise UsageError("--output-format needs --output-file FILE")
        if path is not None:
            check_writable(path, force=arguments.force)
        form = arguments.output_format or (form_of(path, FORMS) if path and path.suffix else "json")
        return cls(arguments.format, path, form, arguments.quiet)

    def show(self, results: Sequence[Result]) -> None:
        """Print the results on stdout and write the file."""
        if self.path is not None:
            write_file(self.path, partial(files.write, results, self.file_form))
        with leaving_early():
            self.print(results)

    def print(self, results: Sequence[Result]) -> None:
        """Print the results on stdout."""
        if self.form == "table":
            print(table(results, columns(sys.stdout, PIPED), ascii_only=is_ascii(sys.stdout)))
        elif self.form == "md":
            files.write(results, "md", sys.stdout)
        else:
            files.print_rows([flat(result) for result in results], self.form, sys.stdout)


def form_of(path: Path, forms: Sequence[str]) -> str:
    """Return the form that a file's name ends with, one of `forms`."""
    form = path.suffix.removeprefix(".").lower()
    if form in forms:
        return form
    known = ", ".join(forms)
    raise UsageError(
        f"--output-file {written(path)}: its end says no form; give --output-format: {known}"
    )


def check_writable(path: Path, *, force: bool, flag: str = "--output-file") -> None:
    """Refuse an output that exists or cannot be created."""
    if path.is_dir():
        raise UsageError(f"{flag} {written(path)}: is a directory")
    if path.exists() and not path.is_file():
        raise UsageError(f"{flag} {written(path)}: is a device or a pipe; give a file")
    if path.exists() and not force:
        raise UsageError(f"{flag} {written(path)}: exists; give --force to replace it")
    if not path.parent.is_dir():
        raise UsageError(f"{flag} {written(path)}: there is no directory {written(path.parent)}")
    try:
        partial_path(path).touch()
        partial_path(path).unlink()
    except OSError as error:
        raise UsageError(f"{flag} {written(path)}: {error.strerror}") from None


def write_file(path: Path, fill: Callable[[TextIO], None]) -> None:
    """Have a file filled, whole or not at all."""
    unfinished = partial_path(path)
    try:
        with unfinished.open("w", encoding="utf-8", newline="") as stream:
            fill(stream)
        unfinished.replace(path)
    except OSError as error:
        with suppress(OSError):
            unfinished.unlink()
        kept = "the results are in the run's folder"
        raise StorageError(f"cannot write {path}: {error.strerror}; {kept}") from None


def partial_path(path: Path) -> Path:
    """Return where a file is written before it gets its name."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")
