"""What a framework offers, and what is known beside its own registry, from a file."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from opperf.core.configuration.file import parse_toml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

UNDECLARED = "not declared yet"


@dataclass(frozen=True)
class Public:
    """The registries of a framework, each operator under one name, and where other names lead.

    `registries` holds the dotted names that are counted; `same` leads from every public dotted
    name to the one under which it counts.
    """

    registries: Mapping[str, Sequence[str]]
    same: Mapping[str, str]


@dataclass(frozen=True)
class Known:
    """What a framework's registry does not say.

    `public` leads from a name in the registry to another by which it counts, `runs` from what a
    table names to the operators that it runs (none for a part that is not timed), `reasons` from
    patterns of names to why they are not covered, the first that matches; `beyond` are patterns of
    what is named and in no registry.
    """

    beyond: Sequence[str]
    public: Mapping[str, str]
    runs: Mapping[str, Sequence[str]]
    reasons: Mapping[str, str]

    def reason(self, name: str) -> str:
        """Return why an operator is not covered."""
        matching = (why for pattern, why in self.reasons.items() if fnmatchcase(name, pattern))
        return next(matching, UNDECLARED)


@cache
def read_known(framework: str) -> Known:
    """Return what the package's file on a framework says."""
    file = f"{framework}.toml"
    document: dict[str, Any] = parse_toml(
        files(__package__).joinpath(file).read_text(encoding="utf-8"), file
    )
    reasons = {name: entry["reason"] for entry in document["why"] for name in entry["names"]}
    return Known(document["beyond"], document["public"], document["runs"], reasons)
