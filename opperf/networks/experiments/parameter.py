"""A parameter: its name, type, domain and default, and whether a value is one of its values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from opperf.core.errors import UsageError, quote, unknown
from opperf.networks.experiments.template import is_constant

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opperf.networks.experiments.evaluation import Scalar

Value: TypeAlias = "Scalar | list[str]"
"""Of a parameter; a list has a command's arguments."""

MOST_ITEMS = 1000
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*){0,5}")
WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
NUMBER = re.compile(r"[+-]?([0-9]{1,18}(\.[0-9]{0,18})?|\.[0-9]{1,18})([eE][+-]?[0-9]{1,2})?")
SWITCHES: Mapping[str, bool] = {
    **dict.fromkeys(("true", "on", "1", "yes"), True),
    **dict.fromkeys(("false", "off", "0", "no"), False),
}


@dataclass(frozen=True, kw_only=True)
class ExperimentParameter:
    """A parameter, as the table of parameters or a file declares it."""

    name: str
    type: str
    default: Value
    description: str = ""
    domain: tuple[Value, ...] = ()
    low: float | None = None
    form: str = ""
    items_of: str = ""
    """A parameter of whose items, between commas and colons, this is the number."""
    is_used: bool = True
    """Whether a run here depends on it."""

    def check(self, value: object) -> Value:
        """Return a value as a file has it: of the type, or a text that is still to be filled in.

        Raises:
            UsageError: It is neither.
        """
        if self.type in {"str", "list"} and isinstance(value, list):
            if len(value) > MOST_ITEMS or not all(isinstance(item, str) for item in value):
                raise UsageError(f"must be at most {MOST_ITEMS} texts, not {quote(value)}")
            return value if self.type == "list" else " ".join(value)
        if isinstance(value, str) and (self.type == "list" or not is_constant(value)):
            return value
        return self.convert(value)

    def convert(self, value: object) -> Value:
        """Return a value of this parameter's type and domain.

        Raises:
            UsageError: It has another type, or is outside the domain.
        """
        if isinstance(value, list):
            return value
        found = CONVERTED[self.type](value)
        if self.domain and found not in self.domain:
            raise UsageError(unknown("value", found, map(str, self.domain)))
        if self.low is not None and isinstance(found, (int, float)) and found < self.low:
            raise UsageError(f"{found}: must be {self.low:g} or more")
        if self.form and not (isinstance(found, str) and re.fullmatch(self.form, found)):
            raise UsageError(f"{quote(found)}: must match {self.form}")
        return found


def to_whole(value: object) -> int:
    """Return a whole number, or the one that a text reads as."""
    if isinstance(value, str) and WHOLE.fullmatch(value.strip()):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise wrong_type(value, "a whole number")


def to_number(value: object) -> float:
    """Return a number, or the one that a text reads as."""
    if isinstance(value, str) and NUMBER.fullmatch(value.strip()):
        return float(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    raise wrong_type(value, "a number")


def to_switch(value: object) -> bool:
    """Return True or False, or what a text reads as."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lower() in SWITCHES:
        return SWITCHES[value.strip().lower()]
    raise wrong_type(value, "true or false")


def to_text(value: object) -> str:
    """Return a text, of printable characters."""
    if not isinstance(value, str):
        raise wrong_type(value, "a text")
    if not value.isprintable():
        raise UsageError(f"{quote(value)} has unprintable characters")
    return value


def to_texts(value: object) -> list[str]:
    """Return the texts that a text between spaces has."""
    return to_text(value).split()


def wrong_type(value: object, expected: str) -> UsageError:
    """Return the error of a value of the wrong type."""
    return UsageError(f"must be {expected}, not {quote(value)}")


CONVERTED: Mapping[str, Callable[[object], Any]] = {
    "bool": to_switch,
    "float": to_number,
    "int": to_whole,
    "list": to_texts,
    "str": to_text,
}
