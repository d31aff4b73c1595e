"""Specification files as JSON: bounded in size and depth, every text one that UTF-8 can write."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from opperf.core.configuration.file import decode
from opperf.core.configuration.json_form import parse_json
from opperf.core.errors import UsageError, quote_path

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 2**20
"""Bytes."""
DEEPEST = 40
"""Levels of lists and objects within each other."""


def read_json(path: Path) -> dict[str, Any]:
    """Return what a specification file has at its top.

    Raises:
        UsageError: It cannot be read, or is no JSON object; one line.
    """
    name = quote_path(path)
    try:
        odd = path.exists() and not path.is_file()
        data = b"" if odd else read_bounded(path)
    except (OSError, ValueError) as error:
        raise UsageError(f"{name}: {getattr(error, 'strerror', None) or error}") from None
    if odd:
        raise UsageError(f"{name}: must be a file")
    if len(data) > LARGEST:
        raise UsageError(f"{name}: larger than {LARGEST >> 20} MiB")
    return checked_json(decode(data, name), name)


def read_bounded(path: Path) -> bytes:
    """Return the file, of one that is too large its beginning."""
    with path.open("rb") as file:
        return file.read(LARGEST + 1)


def checked_json(text: str, name: str) -> dict[str, Any]:
    """Return the JSON object that a text is."""
    document = parse_json(text, name)
    if not isinstance(document, dict):
        raise UsageError(f"{name}: $: must be an object")
    refuse_unwritable(document, name)
    return document


def refuse_unwritable(document: object, name: str) -> None:
    """Refuse what is nested too deeply, infinite numbers, and halves of characters."""
    level = [document]
    for _ in range(DEEPEST):
        inner: list[object] = []
        for value in level:
            if isinstance(value, dict):
                inner += value
                inner += value.values()
            elif isinstance(value, list):
                inner += value
            else:
                refuse_scalar(value, name)
        if not inner:
            return
        level = inner
    raise UsageError(f"{name}: nested more than {DEEPEST} deep")


def refuse_scalar(value: object, name: str) -> None:
    """Refuse a value that no JSON can be written of again."""
    if isinstance(value, float) and not isfinite(value):
        raise UsageError(f"{name}: a number is larger than any float64")
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise UsageError(f"{name}: {ascii(value)[:100]} is half a character") from None
