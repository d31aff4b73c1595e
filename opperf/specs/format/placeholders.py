"""Placeholders in texts of a specification: {ID}, {name} of a field, {files.predict}."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from opperf.specs.format.document import LONGEST_TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.specs.format.place import Place

PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_.-]{0,99})\}")


def fill(text: str, values: Mapping[str, Any]) -> str:
    """Return the text with the value of each placeholder that has one; the others stay."""
    return PLACEHOLDER.sub(
        lambda found: value_text(values[found[1]]) if found[1] in values else found[0], text
    )


def fill_bounded(text: str, values: Mapping[str, Any], place: Place) -> str:
    """Return the same of a text that a file has written: a few may stand for a very long one.

    Raises:
        UsageError: They do.
    """
    found = (values[name] for name in PLACEHOLDER.findall(text) if name in values)
    if sum(len(value_text(value)) for value in found) > LONGEST_TEXT:
        raise place.fault(f"its placeholders stand for more than {LONGEST_TEXT} characters")
    return fill(text, values)


def fill_wholly(text: str, values: Mapping[str, Any], place: Place) -> str:
    """Return the text with the value of each placeholder.

    Raises:
        UsageError: One has no value, and is named, or all stand for too much.
    """
    for name in PLACEHOLDER.findall(text):
        if name not in values:
            remedy = f'give it one with --string_map \'{{"{name}": "..."}}\''
            raise place.fault(f"the placeholder {{{name}}} has no value; {remedy}")
    return fill_bounded(text, values, place)


def value_text(value: Any) -> str:
    """Return a value as JSON spells it, text without its quotes."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def scalars(*objects: Mapping[str, Any]) -> dict[str, Any]:
    """Return what placeholders can stand for: texts and numbers; later objects win."""
    kinds = (str, int, float)
    return {
        name: value for each in objects for name, value in each.items() if isinstance(value, kinds)
    }


def replace_in(value: Any, values: Mapping[str, str]) -> Any:
    """Return JSON with these placeholders replaced in each of its texts, keys aside."""
    if isinstance(value, str):
        return fill(value, values)
    if isinstance(value, list):
        return [replace_in(item, values) for item in value]
    if isinstance(value, dict):
        return {name: replace_in(item, values) for name, item in value.items()}
    return value


def names_in(value: Any) -> set[str]:
    """Return the names of all placeholders in the texts of JSON."""
    return {name for text in texts(value) for name in PLACEHOLDER.findall(text)}


def texts(value: Any) -> Iterator[str]:
    """Yield the texts in JSON, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield name
            yield from texts(item)
