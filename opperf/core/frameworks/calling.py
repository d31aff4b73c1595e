"""What a framework knows of its own operators, by the names under which they are registered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DECLARED, VIEW, BOOKKEEPING, MISSING = KINDS = ("declared", "view", "bookkeeping", "missing")
"""What an operator is to us: one that a declaration measures; one that moves no data; one that
makes room or asks for a fact; none of these."""


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
    """What a framework's operator is to us, by the declarations that measure it in a direction."""

    kind: str = MISSING
    forward: tuple[str, ...] = ()
    backward: tuple[str, ...] = ()
    why: str = ""

    @property
    def declarations(self) -> tuple[str, ...]:
        """The declarations, of either direction."""
        return (*self.forward, *self.backward)


@dataclass(frozen=True)
class Calling:
    """A framework's operators; nothing of it is imported here. This one knows none."""

    meanings: Mapping[str, Meaning] = field(default_factory=dict)

    def meaning(self, operator: str) -> Meaning:
        """Return what an operator is to us."""
        return self.meanings.get(operator, Meaning())

    def overloads(self, names: Sequence[str]) -> Mapping[str, Sequence[Overload]]:
        """Return the overloads of each operator of these names, as the framework here has them."""
        raise NotImplementedError
