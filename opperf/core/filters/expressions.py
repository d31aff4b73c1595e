"""The tree of a filter: what each of its parts says about known and unknown facts.

A fact that is absent or None leaves its comparison undecided; the rest is Kleene's
three-valued logic, in which "and" is the minimum, "or" the maximum and "not" the opposite sign.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    Facts = Mapping[str, str | None]

NO, UNDECIDED, YES = -1, 0, 1
TAGS = "tag"
"""The field whose fact may be several words."""


class Expression(Protocol):
    """A node of the tree."""

    def decide(self, facts: Facts) -> int:
        """Return YES, NO or UNDECIDED."""


@dataclass(frozen=True)
class Word:
    """Part of the name, or the whole of the category."""

    word: str

    def decide(self, facts: Facts) -> int:
        """Return whether either holds."""
        name = facts.get("name")
        if name is not None and self.word.casefold() in name.casefold():
            return YES
        in_category = FieldEquals("category", self.word).decide(facts)
        return in_category if name is not None else max(in_category, UNDECIDED)


@dataclass(frozen=True)
class FieldEquals:
    """A field equals a value, whatever their case; of several tags, one does."""

    field: str
    value: str

    def decide(self, facts: Facts) -> int:
        """Return whether they are equal."""
        fact = facts.get(self.field)
        if fact is None:
            return UNDECIDED
        own = fact.casefold()
        return (
            YES if self.value.casefold() in (own.split() if self.field == TAGS else [own]) else NO
        )


@dataclass(frozen=True)
class Not:
    """What its part is not."""

    part: Expression

    def decide(self, facts: Facts) -> int:
        """Return the opposite."""
        return -self.part.decide(facts)


@dataclass(frozen=True)
class AllOf:
    """Every one of its parts; of none, everything."""

    parts: tuple[Expression, ...]

    def decide(self, facts: Facts) -> int:
        """Return whether all parts hold."""
        return min((part.decide(facts) for part in self.parts), default=YES)


@dataclass(frozen=True)
class AnyOf:
    """At least one of its parts."""

    parts: tuple[Expression, ...]

    def decide(self, facts: Facts) -> int:
        """Return whether some part holds."""
        return max(part.decide(facts) for part in self.parts)
