"""The table that a configuration file sets options in."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

# By name, because mypy checks for Python 3.10 and tomli is installed on no later one.
tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

LARGEST = 2**20
"""Bytes; a file above it was not meant to configure anything."""


def read_file(path: Path) -> dict[str, object]:
    """Return the file's [tool.opperf], and of opperf.toml its top level too; {} for no file.

    Raises:
        UsageError: It cannot be read, is above 1 MiB, or is not TOML (with the line).
    """
    document = parse_toml(read_text(path), path.name)
    top = document if path.name == "opperf.toml" else {}
    tools = table(document, "tool", path.name)
    return {key: top[key] for key in top if key != "tool"} | table(tools, "opperf", path.name)


def read_text(path: Path) -> str:
    """Return the file's text; that of no file is empty."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    if len(data) > LARGEST:
        raise UsageError(f"cannot read {path}: it is larger than 1 MiB")
    return decode(data, path.name)


def decode(data: bytes, file: str) -> str:
    """Return the text of UTF-8, without the mark that editors of Windows begin it with."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 + error.object.count(b"\n", 0, error.start)
        raise UsageError(f"{file} line {line}: not UTF-8: {error.reason}") from error


def parse_toml(text: str, file: str) -> dict[str, Any]:
    """Return the document."""
    try:
        document: dict[str, Any] = tomllib.loads(text)
    except RecursionError as error:
        raise UsageError(f"{file}: not TOML that can be read: nested too deeply") from error
    except ValueError as error:
        end = f"(at line {1 + text.count(chr(10))}, the end)"
        reason = str(error).replace("(at end of document)", end)
        raise UsageError(f"{file}: not valid TOML: {reason}") from error
    return document


def table(parent: dict[str, Any], key: str, file: str) -> dict[str, Any]:
    """Return the table of this name, which may be missing."""
    found = parent.get(key, {})
    if isinstance(found, dict):
        return found
    raise UsageError(f"{file}: {key} must be a table, not {found!r}")
