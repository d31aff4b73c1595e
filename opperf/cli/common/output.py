"""Where a command's words and results go."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.common.messages import leaving_early, say, teller
from opperf.core.errors import UsageError, quote_path
from opperf.reporting.arrangement import column_names, sort_results
from opperf.reporting.color import colored
from opperf.reporting.printing import print_rows
from opperf.reporting.registry import form_by_suffix, require_form
from opperf.reporting.rows import rows_of
from opperf.reporting.subjects import Run
from opperf.reporting.table import table
from opperf.reporting.text import columns, is_ascii, message, wrap
from opperf.reporting.wording import counts_text
from opperf.storing import StorageError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable
    from typing import Any

    from opperf.reporting.form import Form

FOR_PEOPLE = ("table", "md")
"""The forms in which quantities have their units."""
PIPED = 160
"""Columns where nobody says how many there are: room for every column of the table."""
UNBOUNDED = 10**6
"""Columns of what is no terminal, for lines that other programs may look for."""
ROWS = ("json", "csv")
"""What is printed of a run in these forms is flat rows; a file has whole records as JSON."""


@dataclass(frozen=True)
class Output:
    """The form of stdout, and a file beside it where one is asked for."""

    form: str
    path: Path | None
    file_form: Form | None
    quiet: bool
    sort: str | None = None
    columns: tuple[str, ...] = ()

    @classmethod
    def of(cls, arguments: Namespace) -> Output:
        """Return what the flags ask for; refuse now what could not be written in the end."""
        own = arrangement_of(arguments)
        path = Path(arguments.output_file) if arguments.output_file else None
        if path is None and arguments.output_format:
            raise UsageError("--output-format needs --output-file FILE")
        if path is None:
            return cls(arguments.format, None, None, arguments.quiet, *own)
        check_writable(path, force=arguments.force)
        form = file_form(path, arguments.output_format or ("" if path.suffix else "json"))
        return cls(arguments.format, path, form, arguments.quiet, *own)

    def show(self, run: Run) -> None:
        """Print the results on stdout and write the file."""
        if self.path is not None and self.file_form is not None:
            write_file(self.path, self.file_form, run, teller(quiet=self.quiet))
        with leaving_early():
            self.print(replace(run, results=sort_results(run.results, self.sort)))

    def print(self, run: Run) -> None:
        """Print the results on stdout."""
        if self.form == "table":
            text = table(
                run.results, columns(sys.stdout, PIPED), ascii_only=is_ascii(sys.stdout),
                names=self.columns,
            )  # fmt: skip
            print(colored(text, sys.stdout))
        elif self.form in ROWS:
            print_rows(rows_of(run.results), self.form, sys.stdout)
        else:
            require_form(self.form, Run).write(run, sys.stdout)


def print_lines(lines: Iterable[str], *, paged: bool = True) -> None:
    """Print lines for people on stdout, wrapped where they stand on a terminal and are `paged`."""
    width = columns(sys.stdout, UNBOUNDED) if paged else UNBOUNDED
    for line in lines:
        for part in wrap(message(line), width, ascii_only=is_ascii(sys.stdout)) or [""]:
            print(part)


def arrangement_of(arguments: Namespace) -> tuple[str | None, tuple[str, ...]]:
    """Return the order and the columns that the flags ask for, of a verb that has them."""
    given = getattr(arguments, "columns", None)
    return getattr(arguments, "sort", None), column_names(given) if given is not None else ()


def file_form(path: Path, name: str | None) -> Form:
    """Return the form of a run's file, by its name or by the file's end, once it can be written.

    Raises:
        UsageError: The end says no form, or several have it.
    """
    if name:
        form: Form | None = require_form(name, Run, "output format")
        names = [name]
    else:
        form, names = form_by_suffix(path.suffix, Run)
    if form is None:
        raise UsageError(
            f"--output-file {quote_path(path)}: its end says no form; give --output-format: "
            f"{', '.join(names)}"
        )
    form.require()
    return form


def check_writable(path: Path, *, force: bool, flag: str = "--output-file") -> None:
    """Refuse an output that exists or cannot be created."""
    if path.is_dir():
        raise UsageError(f"{flag} {quote_path(path)}: is a directory")
    if path.exists() and not path.is_file():
        raise UsageError(f"{flag} {quote_path(path)}: is a device or a pipe; give a file")
    if path.exists() and not force:
        raise UsageError(f"{flag} {quote_path(path)}: exists; give --force to replace it")
    if not path.parent.is_dir():
        raise UsageError(
            f"{flag} {quote_path(path)}: there is no directory {quote_path(path.parent)}"
        )
    try:
        partial_path(path).touch()
        partial_path(path).unlink()
    except OSError as error:
        raise UsageError(f"{flag} {quote_path(path)}: {error.strerror}") from None


def write_file(path: Path, form: Form, subject: Any, tell: Callable[[str], None] = say) -> None:
    """Write a file in a form, whole or not at all; tell what has no place in it."""
    unfinished = partial_path(path)
    text: dict[str, Any] = {} if form.binary else {"encoding": "utf-8", "newline": ""}
    try:
        with unfinished.open("wb" if form.binary else "w", **text) as stream:
            form.write(subject, stream)
        unfinished.replace(path)
    except OSError as error:
        kept = "the results are in the run's folder"
        raise StorageError(f"cannot write {path}: {error.strerror}; {kept}") from None
    finally:
        with suppress(OSError):
            unfinished.unlink()
    if form.only_times and isinstance(subject, Run):
        without = [result.status for result in subject.results if result.seconds is None]
        if without:
            tell(f"{path} has times only; left out: {counts_text(without)}")


def partial_path(path: Path) -> Path:
    """Return where a file is written before it gets its name."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")
