"""From JSON to the document's classes; an error names the exact place, also below free keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import ValidationError, convert

from opperf.core.errors import LONGEST_SHOWN, quote, unknown
from opperf.core.results.conversion import FAULT, FIELD, TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opperf.specs.format.place import Place

T = TypeVar("T")
STEPS = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
KINDS = {"object": "an object", "array": "a list", "str": "text", "int": "a whole number",
         "float": "a number", "bool": "true or false", "null": "null"}  # fmt: skip


def strict_part(value: Any, kind: type[T], place: Place) -> T:
    """Return the object of this class that JSON stands for.

    Raises:
        UsageError: It is none; names the first place that is wrong, and what must stand there.
    """
    try:
        return convert(value, kind)
    except ValidationError as error:
        parts = FAULT.fullmatch(str(error))
        message, where = (parts["said"], parts["place"] or "") if parts else (str(error), "")
    steps = exact_steps(value, kind, where)
    here = place
    for step in steps:
        here = here / step
    if missing := FIELD.fullmatch(message):
        raise (here / missing["name"]).fault("is missing")
    raise here.fault(f"must be {allowed_text(message)}, not {value_text(dig(value, steps))}")


def allowed_text(message: str) -> str:
    """Return what msgspec allows, in the words of JSON."""
    types = TYPES.fullmatch(message)
    if not types:
        return message
    names = [KINDS.get(name, name) for name in types["allowed"].split(" | ")]
    return f"{' or '.join(names)}{types['bound']}"


def value_text(value: Any) -> str:
    """Return a value in short."""
    if value is None or isinstance(value, bool):
        return str(value).lower().replace("none", "null")
    if isinstance(value, (dict, list)) and value:
        return "an object" if isinstance(value, dict) else f"a list of {len(value)}"
    return quote(value)[:LONGEST_SHOWN]


def exact_steps(value: Any, kind: type, where: str) -> list[str | int]:
    """Return msgspec's place with the keys of free objects, for which it says [...] only."""
    steps: list[str | int] = []
    for found in STEPS.finditer(where):
        name, index = found.groups()
        if index == "...":
            steps.append(faulty_key(value, kind, steps, where[: found.end()]))
        else:
            steps.append(name or int(index))
    return steps


def faulty_key(value: Any, kind: type, steps: Sequence[str | int], where: str) -> str:
    """Return the key of a free object below which something is wrong: half of them at a time."""
    keys = list(dig(value, steps))
    while len(keys) > 1:
        half = keys[: len(keys) // 2]
        fault = fault_below(with_keys(value, steps, half), kind, where)
        keys = half if fault else keys[len(half) :]
    return str(keys[0])


def fault_below(value: Any, kind: type, where: str) -> bool:
    """Return whether the first fault is below this place, as msgspec calls it."""
    try:
        convert(value, kind)
    except ValidationError as error:
        parts = FAULT.fullmatch(str(error))
        return bool(parts and (parts["place"] or "").startswith(where))
    return False


def with_keys(value: Any, steps: Sequence[str | int], keys: Iterable[str]) -> Any:
    """Return JSON with these keys only of the object at a place."""
    if not steps:
        return {key: value[key] for key in keys}
    copy = value.copy()
    copy[steps[0]] = with_keys(value[steps[0]], steps[1:], keys)
    return copy


def dig(value: Any, steps: Sequence[str | int]) -> Any:
    """Return what stands at a place."""
    for step in steps:
        value = value[step]
    return value


def refuse_unknown(
    value: Mapping[str, Any], kind: Any, place: Place, others: Iterable[str] = ()
) -> None:
    """Refuse a field that the class does not have.

    Raises:
        UsageError: names the field, and the nearest that there is.
    """
    fields = kind.__struct_fields__
    for name in value:
        if name not in fields and name not in others:
            raise place.fault(unknown("field", name, fields))
