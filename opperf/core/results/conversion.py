"""From JSON to typed records: whatever is wrong is said in one line that names the field."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any, TypeVar

from msgspec import ValidationError, convert

from opperf.core.errors import UsageError

T = TypeVar("T")
FAULT = re.compile(r"(?P<said>.*?)(?: - at `(?:key` in `)?\$(?P<place>.*)`)?", re.DOTALL)
TYPES = re.compile(r"Expected `(?P<allowed>[^`]*)`(?P<bound>.*?)(?:, got .*)?", re.DOTALL)
FIELD = re.compile(r"Object (?P<fault>missing required|contains unknown) field `(?P<name>[^`]*)`")
STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")
SHOWN = 40
"""Characters of a value that an error shows."""


def record_part(value: object, kind: type[T], place: str = "") -> T:
    """Return the record of this type that JSON stands for.

    Args:
        value: JSON, every number of it finite.
        kind: what it must be.
        place: where it stands, as "environment.", to be named in the error; empty for the whole.

    Raises:
        UsageError: It is none; names the first field that is wrong, its value and what is allowed.
    """
    try:
        return convert(value, kind)
    except ValidationError as error:
        raise UsageError(fault_of(str(error), value, place)) from None


def fault_of(message: str, value: object, place: str) -> str:
    """Return what msgspec has found as "field 'summary.n' must be int, not 'x'"."""
    parts = FAULT.fullmatch(message)
    said, inner = (parts["said"], parts["place"] or "") if parts else (message, "")
    where = f"{place}{inner.removeprefix('.')}".rstrip(".")
    if field := FIELD.fullmatch(said):
        name = ".".join(filter(None, (where, field["name"])))
        return f"field {name!r} is {'missing' if 'missing' in field['fault'] else 'unknown'}"
    types = TYPES.fullmatch(said)
    allowed = f"{types['allowed'].replace(' | ', ' or ')}{types['bound']}" if types else said
    return f"field {where!r} must be {allowed}, not {quote_value(found_at(value, inner))}"


def found_at(value: Any, place: str) -> object:
    """Return the value at a place such as ".inputs[0].shape"."""
    with suppress(KeyError, IndexError, TypeError):
        for name, index in STEP.findall(place):
            value = value[name] if name else value[int(index)]
    return value


def quote_value(value: object) -> str:
    """Return a value in one short line, as JSON writes what Python spells otherwise."""
    spelled = {None: "null", True: "true", False: "false"}
    if value is None or isinstance(value, bool):
        return spelled[value]
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."
