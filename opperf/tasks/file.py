"""The tasks file: an INI file with a section for each task."""

from __future__ import annotations

from configparser import ConfigParser
from configparser import Error as ParsingError
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote, quote_path, unknown
from opperf.tasks.section import task_from

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.tasks.section import Section
    from opperf.tasks.task import ScriptTask

NAME = "task_config_template.cfg"
"""The file that is read unless another is named."""
LARGEST = 2**20


def read_sections(path: Path) -> dict[str, Section]:
    """Return the sections of a tasks file.

    Raises:
        UsageError: It cannot be read, or is none; names the line.
    """
    shown = quote_path(path)
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(
            f"cannot read tasks file {shown}: {error.strerror}; give one with --config FILE: "
            "docs/tasks.md"
        ) from error
    if len(data) > LARGEST:
        raise UsageError(f"tasks file {shown}: larger than {LARGEST >> 20} MiB")
    parser = ConfigParser(interpolation=None, empty_lines_in_values=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        parser.read_string(data.decode(), source=path.name)
    except UnicodeDecodeError as error:
        raise UsageError(f"tasks file {shown}: byte {error.start} is not UTF-8") from None
    except ParsingError as error:
        said = " ".join(str(error.message).split())
        raise UsageError(f"tasks file {shown}: {quote(said)[1:-1]}") from None
    return {name: dict(parser[name]) for name in parser.sections()}


def find_task(path: Path, name: str) -> ScriptTask:
    """Return a task of a file, every key of it checked.

    Raises:
        UsageError: There is no such task, or something of it is wrong; names file, task and key.
    """
    sections = read_sections(path)
    if name not in sections:
        raise UsageError(unknown("task", name, sections, f" in {quote_path(path)}"))
    try:
        return task_from(name, sections[name])
    except UsageError as error:
        raise UsageError(f"{quote_path(path)}: task {name}: {error}") from None
