"""The forms of stored objects: which fields they have, of which types, and what is within those.

A form is stated once. `check` holds JSON against it, and msgspec's types are made of it
(`opperf.storing.database.decoding`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from operator import contains
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typing_extensions import Self

LARGEST = 1e300
"""Of a number: sums and ratios of some of them are still finite."""
NUMBERS = (int, float)
NULL = type(None)


@dataclass(frozen=True)
class Field:
    """What a field may hold.

    Args:
        types: its types, exactly: a bool is no int.
        within: the form of an object, or what each item of a list or of an open object is.
        least: the least of a number.
        most: its most.
        count: how many items a list has, if that is fixed.
        optional: whether the field may be missing.

    """

    types: tuple[type, ...]
    within: Form | Field | None = None
    least: float = -LARGEST
    most: float = LARGEST
    count: int | None = None
    optional: bool = False

    @property
    def or_null(self) -> Self:
        """The same, or null."""
        return replace(self, types=(*self.types, NULL))

    @property
    def or_missing(self) -> Self:
        """The same, in a field that need not be there."""
        return replace(self, optional=True)

    @property
    def or_absent(self) -> Self:
        """The same, or null, or missing as in records of earlier versions."""
        return self.or_null.or_missing

    def at_least(self, least: float) -> Self:
        """Return the same, of numbers from this one on."""
        return replace(self, least=least)

    def between(self, least: float, most: float) -> Self:
        """Return the same, of numbers from one to another."""
        return replace(self, least=least, most=most)

    @cached_property
    def is_number(self) -> bool:
        """Whether it may hold a number."""
        return any(kind in NUMBERS for kind in self.types)


class Missing:
    """The type of what stands for a field that is not there."""


MISSING = Missing()


class Form:
    """The fields of an object; others are refused if it is `closed`, and else left alone."""

    def __init__(self, fields: Mapping[str, Field], *, closed: bool = False) -> None:
        self.fields = fields
        self.closed = closed
        self.types = [
            (*field.types, Missing) if field.optional else field.types for field in fields.values()
        ]
        self.has_numbers = any(field.is_number for field in fields.values())
        self.further = [
            (name, field)
            for name, field in fields.items()
            if field.within is not None or (field.least, field.most) != (-LARGEST, LARGEST)
        ]
        """What the types and the largest number do not settle."""


TEXT = Field((str,))
NUMBER = Field(NUMBERS)
WHOLE = Field((int,))
TRUTH = Field((bool,))
ANY_OBJECT = Field((dict,))


def object_of(form: Form | Field) -> Field:
    """Return a field for an object of this form, or of any names and such values."""
    return Field((dict,), form)


def list_of(items: Form | Field, count: int | None = None) -> Field:
    """Return a field for a list of such items."""
    return Field((list,), items, count=count)


def check(place: str, value: object, form: Form) -> None:
    """Refuse what is no object of this form.

    Args:
        place: where it stands, as "summary.", to be named in the error; empty for the whole.
        value: JSON.
        form: what it must be.

    Raises:
        UsageError: It is none; names the first field that is wrong, and how.
    """
    if not isinstance(value, dict):
        raise UsageError(f"field {place.rstrip('.')!r} must be an object")
    found = [value.get(name, MISSING) for name in form.fields]
    numbers = [item for item in found if type(item) in NUMBERS] if form.has_numbers else ()
    if not (all(map(contains, form.types, map(type, found))) and are_within(numbers, LARGEST)):
        for (name, field), item in zip(form.fields.items(), found, strict=True):
            if item is not MISSING:
                check_field(place + name, item, field)
            elif not field.optional:
                raise UsageError(f"field {place + name!r} is missing")
    for name, field in form.further:
        if value.get(name) is not None:
            look_into(place + name, value[name], field)
    if form.closed and (unknown := value.keys() - form.fields.keys()):
        raise UsageError(f"field {place + min(unknown)!r} is unknown")


def check_type(place: str, value: object, field: Field) -> None:
    """Refuse a value of another type."""
    if type(value) not in field.types:
        allowed = " or ".join("null" if kind is NULL else kind.__name__ for kind in field.types)
        found = "null" if value is None else type(value).__name__
        raise UsageError(f"field {place!r} must be {allowed}, not {found}")


def check_field(place: str, value: Any, field: Field) -> None:
    """Refuse a value that a field may not hold."""
    check_type(place, value, field)
    look_into(place, value, field)


def look_into(place: str, value: Any, field: Field) -> None:
    """Refuse a value of the right type that is too large, or holds what it may not."""
    if isinstance(value, NUMBERS):
        if field.is_number and not field.least <= value <= field.most:
            allowed = f"from {field.least:g} to {field.most:g}"
            raise UsageError(f"field {place!r} must be a finite number {allowed}")
    elif isinstance(value, list):
        if field.count is not None and len(value) != field.count:
            raise UsageError(f"field {place!r} must hold {field.count} items, not {len(value)}")
        check_items(place, value, field.within)
    elif isinstance(value, dict) and isinstance(field.within, Form):
        check(f"{place}.", value, field.within)
    elif isinstance(value, dict) and isinstance(field.within, Field):
        check_items(place, [*value.values()], field.within)


def check_items(place: str, values: Sequence[Any], items: Form | Field | None) -> None:
    """Refuse a list with an item that it may not hold."""
    if isinstance(items, Form):
        for value in values:
            check(f"{place}[].", value, items)
    elif items is not None and not is_sound(values, items):
        for value in values:
            check_field(f"{place}[]", value, items)


def is_sound(values: Sequence[Any], items: Field) -> bool:
    """Return, sooner than item by item, whether all are what nearly all lists hold."""
    if not values:
        return True
    if items.within is not None or not {*map(type, values)} <= {*items.types}:
        return False
    if not items.is_number:
        return True
    return NULL not in items.types and are_within(values, items.most) and min(values) >= items.least


def are_within(numbers: Sequence[float], most: float) -> bool:
    """Return whether the sizes of some numbers add up to no more than this; NaN never does."""
    try:
        return sum(map(abs, numbers)) <= most
    except OverflowError:  # an integer beyond any float
        return False
