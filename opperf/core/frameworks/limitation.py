"""Known gaps of a framework, as values that runs, tests and documents share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.variant import require_variant

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.variant import Variant


FORWARD = ("forward", "forward_recorded")
BACKWARD = ("backward", "forward_backward")


@dataclass(frozen=True)
class SizeThreshold:
    """A size that the inputs decide: `count` tells it of an operator, `unit` what it counts.

    It is exceeded by whatever shapes a user gives, named sizes or not.
    """

    limit: int
    unit: str
    count: Callable[[Any], int]

    def is_exceeded(self, operator: Any) -> bool:
        """Return whether the operator's inputs are larger."""
        return self.count(operator) > self.limit

    def __str__(self) -> str:
        return f"beyond {self.limit} {self.unit}"


@dataclass(frozen=True, kw_only=True)
class Limitation:
    """What a framework cannot do with an operator, in the framework's own words.

    It stands in the framework's table, beside the operator's implementation. Left-out conditions
    match everything. `words` is a passage of the error that an attempt raises or, where the
    framework says nothing, of what the correctness check finds; a test attempts each limitation, so
    that one that no longer holds breaks the build. `note` explains the words where they do not
    explain themselves. `beyond` is the size from which on it holds, and `deadly` says that an
    attempt may take its process with it, so that it is made in a child.
    """

    words: str
    note: str = ""
    dtypes: tuple[str, ...] = ()
    directions: tuple[str, ...] = ()
    variant: Variant | None = None
    beyond: SizeThreshold | None = None
    deadly: bool = False

    def __post_init__(self) -> None:
        """Refuse a variant that there is none of, which would never hold."""
        if self.variant is not None:
            require_variant(self.variant)

    @property
    def reason(self) -> str:
        """What a result says of it, after the framework's name."""
        where = f" ({self.beyond})" if self.beyond else ""
        return f"{self.note or self.words}{where}"

    def holds(self, dtype: str, direction: str, *, variant: Variant) -> bool:
        """Return whether this combination is the one that cannot be done, if it is large enough."""
        return (
            (not self.dtypes or dtype in self.dtypes)
            and (not self.directions or direction in self.directions)
            and (self.variant is None or variant == self.variant)
        )

    def reaches(self, operator: Any) -> bool:
        """Return whether the operator's inputs are large enough for it to hold."""
        return self.beyond is None or self.beyond.is_exceeded(operator)

    def smallest_size(self, kind: type[Any], dtype: str) -> str | None:
        """Return the declared size with the least elements where it holds; None where none does."""
        declared = [kind(inputs={"dtype": dtype}, size=size) for size in kind.sizes]
        reached = [operator for operator in declared if self.reaches(operator)]
        least = min(reached, key=lambda operator: operator.memory_needed(), default=None)
        return least.size if least else None


def unfused(*limitations: Limitation) -> tuple[Limitation, ...]:
    """Return limitations of a part as those of the composition that holds it."""
    return tuple(replace(limitation, variant="unfused") for limitation in limitations)


def along_axis(limit: int) -> SizeThreshold:
    """Return the threshold of so many elements along the axis that an operator works along."""

    def count(operator: Any) -> int:
        return int(operator.inputs["data"][operator.inputs["axis"]])

    return SizeThreshold(limit, "elements along the axis", count)


def in_one_tensor(limit: int) -> SizeThreshold:
    """Return the threshold of so many elements in the largest of an operator's tensors."""

    def count(operator: Any) -> int:
        return max(map(prod, operator.shapes.values()))

    return SizeThreshold(limit, "elements of a tensor", count)


def rounded_sums(dtype: str, beyond: SizeThreshold, directions: tuple[str, ...] = ()) -> Limitation:
    """Return the limitation of sums that are rounded after every element, of more terms than that.

    Such a sum stops growing, or walks off at random. Each threshold was found with the default
    seed: a power of two up to which no element of some thousand sums was beyond the tolerance,
    where twice as many terms were.
    """
    return Limitation(
        dtypes=(dtype,),
        directions=directions,
        words="of the scale, allowed",
        note=f"its sums are rounded to {dtype} after every element",
        beyond=beyond,
    )
