"""Known gaps of a framework, as values that runs, tests and documents share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Threshold:
    """A size that the inputs decide: `count` tells it of an operator, `unit` what it counts.

    It is exceeded by whatever shapes a user gives, named sizes or not.
    """

    limit: int
    unit: str
    count: Callable[[Any], int]

    def exceeded(self, operator: Any) -> bool:
        """Return whether the operator's inputs are larger."""
        return self.count(operator) > self.limit

    def __str__(self) -> str:
        return f"beyond {self.limit} {self.unit}"


@dataclass(frozen=True, kw_only=True)
class Limitation:
    """What one framework cannot do with an operator, in the framework's own words.

    Left-out conditions match everything. `words` is a passage of the error that an attempt raises
    or, where the framework says nothing, of what the correctness check finds; a test attempts each
    limitation, so that one that no longer holds breaks the build. `note` explains the words where
    they do not explain themselves. `beyond` is the size from which on it holds, and `deadly` says
    that an attempt may take its process with it, so that it is made in a child.
    """

    framework: str
    words: str
    note: str = ""
    dtypes: tuple[str, ...] = ()
    directions: tuple[str, ...] = ()
    fused: bool | None = None
    beyond: Threshold | None = None
    deadly: bool = False

    @property
    def reason(self) -> str:
        """What a result says of it."""
        where = f" ({self.beyond})" if self.beyond else ""
        return f"{self.framework}: {self.note or self.words}{where}"

    def holds(self, framework: str, dtype: str, direction: str, *, fused: bool | None) -> bool:
        """Return whether this combination is the one that cannot be done, if it is large enough."""
        return (
            framework == self.framework
            and (not self.dtypes or dtype in self.dtypes)
            and (not self.directions or direction in self.directions)
            and (self.fused is None or fused == self.fused)
        )

    def reaches(self, operator: Any) -> bool:
        """Return whether the operator's inputs are large enough for it to hold."""
        return self.beyond is None or self.beyond.exceeded(operator)

    def smallest_size(self, kind: type[Any], dtype: str) -> str | None:
        """Return the declared size with the least elements where it holds; None where none does."""
        declared = [kind(inputs={"dtype": dtype}, size=size) for size in kind.sizes]
        reached = [operator for operator in declared if self.reaches(operator)]
        least = min(reached, key=lambda operator: operator.memory_needed(), default=None)
        return least.size if least else None


def known_limitations(
    operator: Any, framework: str, direction: str, *, fused: bool | None
) -> list[Limitation]:
    """Return the limitations that hold for this combination on the operator's inputs."""
    return [
        limitation
        for limitation in operator.limitations
        if limitation.holds(framework, operator.dtype, direction, fused=fused)
        and limitation.reaches(operator)
    ]


def refuse_limitation(operator: Any, framework: str, direction: str, *, fused: bool | None) -> None:
    """Raise an UnsupportedError where the declaration knows that this cannot be done."""
    if operator.dtype not in operator.dtypes:
        forms = ", ".join(operator.dtypes)
        raise UnsupportedError(f"{operator.name()} has no {operator.dtype} form; it has: {forms}")
    for limitation in known_limitations(operator, framework, direction, fused=fused):
        raise UnsupportedError(limitation.reason)
