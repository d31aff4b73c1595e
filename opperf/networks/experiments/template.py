"""Texts with `${name}` and `$(expression)$` in them, taken apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from opperf.core.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_CHARACTERS = 10_000
"""Of a value as it stands in the file."""
MOST_NESTED = 5
"""References within the name of a reference."""
MARK = "reference_of_opperf_{}_"
"""What stands in an expression for its references: a name, or a part of a text, for Python."""


@dataclass(frozen=True)
class ParameterReference:
    """`${name}`; the name may have references in it, as in `${${exp.framework}.data_dir}`."""

    name: tuple[str | ParameterReference, ...]


@dataclass(frozen=True)
class Formula:
    """`$(expression)$`, in which marks stand for the references."""

    text: str
    references: tuple[ParameterReference, ...]


Part: TypeAlias = str | ParameterReference | Formula


def is_constant(text: str) -> bool:
    """Return whether a text stands for itself."""
    return "${" not in text and "$(" not in text


@lru_cache(maxsize=1000)
def parse_template(text: str) -> tuple[Part, ...]:
    """Return the parts of a text.

    Raises:
        UsageError: A reference or an expression has no end.
    """
    if len(text) > MOST_CHARACTERS:
        raise UsageError(f"a text of more than {MOST_CHARACTERS} characters")
    return tuple(TemplateReader(text).parts())


class TemplateReader:
    """Where in a text the parsing is."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def parts(self) -> Sequence[Part]:
        """Return everything up to the end."""
        found: list[Part] = []
        while self.at < len(self.text):
            if self.sees("${"):
                found.append(self.reference(1))
            elif self.sees("$("):
                found.append(self.formula())
            else:
                found.append(self.plain("$"))
        return found

    def sees(self, sign: str) -> bool:
        """Return whether this is what comes next."""
        return self.text.startswith(sign, self.at)

    def plain(self, stops: str) -> str:
        """Return at least one character, and what comes up to one of the stops."""
        begin = self.at
        self.at += 1
        while self.at < len(self.text) and self.text[self.at] not in stops:
            self.at += 1
        return self.text[begin : self.at]

    def reference(self, depth: int) -> ParameterReference:
        """Return the reference that begins here."""
        begin = self.at
        self.at += 2
        name: list[str | ParameterReference] = []
        while self.at < len(self.text):
            if self.sees("}"):
                self.at += 1
                if not name:
                    raise UsageError("${} names no parameter")
                return ParameterReference(tuple(name))
            if self.sees("${"):
                if depth == MOST_NESTED:
                    raise UsageError(f"references nested deeper than {MOST_NESTED} levels")
                name.append(self.reference(depth + 1))
            else:
                name.append(self.plain("$}"))
        raise UsageError(f"{quote(self.text[begin : begin + 40])}: ${{ without its }}")

    def formula(self) -> Formula:
        """Return the expression that begins here; it ends at the first `)$`."""
        begin = self.at
        self.at += 2
        pieces: list[str] = []
        references: list[ParameterReference] = []
        while self.at < len(self.text):
            if self.sees("${"):
                pieces.append(MARK.format(len(references)))
                references.append(self.reference(1))
            elif self.sees(")$") and not self.sees(")${"):
                self.at += 2
                return Formula("".join(pieces), tuple(references))
            else:
                pieces.append(self.plain("$)"))
        raise UsageError(f"{quote(self.text[begin : begin + 40])}: $( without its )$")
