"""What a framework knows of its own operators, by the names under which they are registered."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from opperf.core.configuration.file import parse_toml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DECLARED, VIEW, BOOKKEEPING, MISSING = KINDS = ("declared", "view", "bookkeeping", "missing")
"""What an operator is to us: one that a declaration measures; one that moves no data; one that
makes room or asks for a fact; none of these."""

KNOWN, ARGUMENTS = "known.toml", "arguments.toml"
DIRECTIONS = ("forward", "forward_recorded", "backward")
"""Of a declaration, those that are one call of an operator."""


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A parameter of an overload: its `type` as PyTorch writes it, such as Optional[Tensor]."""

    name: str
    type: str
    required: bool = True
    default: Any = None


@dataclass(frozen=True, kw_only=True)
class Overload:
    """An operator of a framework; a composite one is taken apart before it is dispatched."""

    name: str
    parameters: tuple[Parameter, ...]
    composite: bool = False


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """What a framework's operator is to us, by the declarations that measure it in a direction.

    `same` names another of its operators that is the same, under whose name it was found.
    """

    kind: str = MISSING
    forward: tuple[str, ...] = ()
    backward: tuple[str, ...] = ()
    why: str = ""
    same: str = ""

    @property
    def declarations(self) -> tuple[str, ...]:
        """The declarations, of either direction, the plainest first."""
        return tuple(dict.fromkeys((*self.forward, *self.backward)))


@dataclass(frozen=True)
class Calling:
    """A framework's operators; nothing of it is imported here. This one knows none."""

    meanings: Mapping[str, Meaning] = field(default_factory=dict)
    """Of operators by their names, and of families of overloads by what these share."""
    package: str = ""
    """Where it is written down which inputs of declarations an operator's arguments are."""

    def meaning(self, operator: str) -> Meaning:
        """Return what an operator is to us: aten.t is what is said of aten.t.default."""
        family = operator.rpartition(".")[0]
        return self.meanings.get(operator) or self.meanings.get(family) or Meaning()

    def patterns(self, operator: str) -> Mapping[str, Any]:
        """Return what an operator takes, and what it is given by the declarations that call it."""
        if not self.package:
            return {}
        known = read(self.package, KNOWN)
        alike = operator in known["same_arguments"]["names"]
        name = self.meaning(operator).same if alike else operator
        seen, by_hand = read(self.package, ARGUMENTS).get(name, {}), known["patterns"].get(name, {})
        lists = {each: [*seen.get(each, ()), *by_hand.get(each, ())] for each in DIRECTIONS}
        return {**seen, **by_hand, **lists} if seen or by_hand else {}

    def overloads(self, names: Sequence[str]) -> Mapping[str, Sequence[Overload]]:
        """Return the overloads of each operator of these names, as the framework here has them."""
        raise NotImplementedError


def read_meanings(package: str, prefix: str = "") -> Mapping[str, Meaning]:
    """Return what declared.toml and known.toml of a package say of a framework's operators.

    Args:
        package: the package that has the files.
        prefix: what the names of views and of bookkeeping are given without.
    """
    declared, known = (read(package, name) for name in ("declared.toml", KNOWN))
    found = {
        name: Meaning(
            kind=DECLARED,
            forward=tuple(row.get("forward", ())),
            backward=tuple(row.get("backward", ())),
        )
        for name, row in {**declared, **known["declared"]}.items()
    }
    for name, other in known["same"].items():
        if other in found:
            found.setdefault(name, replace(found[other], same=other))
    for kind in (VIEW, BOOKKEEPING):
        for name in known[kind]["names"]:
            found.setdefault(f"{prefix}{name}", Meaning(kind=kind, why=known[kind]["why"]))
    return found


@cache
def read(package: str, name: str) -> dict[str, Any]:
    """Return what a TOML file of a package says."""
    return parse_toml(files(package).joinpath(name).read_text(encoding="utf-8"), name)
