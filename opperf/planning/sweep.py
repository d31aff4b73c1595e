"""The sizes of a sweep: one leading dimension scaled so that an operator's work grows fourfold."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError
from opperf.core.statistics.scaling import FEWEST
from opperf.core.units import format_bytes, format_rate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.declaring.declaration import Declaration

GROWTH = 4
LARGEST_SET = 2**28
"""Bytes of operands and outputs: beyond all but the largest last-level caches."""
LARGEST_WORK = 2**38
"""FLOP: some seconds of a processor."""
MEMORY_SHARE = 3
"""A sweep takes a third of a child's limit, which is three quarters of the free memory."""
ROOM = "a third of the memory limit"
STARTS = (1, 4, 16, 64)
"""Lengths of the leading dimension to begin with; some operators need more than a row or two."""


@dataclass(frozen=True)
class Ladder:
    """Inputs from the smallest size to the largest; `note` says where the ladder ends and why."""

    points: tuple[dict[str, Any], ...]
    note: str


@dataclass(frozen=True)
class Rung:
    """An operator with some of its shapes' leading dimensions set to one length.

    `base` are its inputs before, `changes` those that differ from the size's, and `operators` those
    of the lengths that were asked for.
    """

    kind: type[Declaration]
    size: str
    changes: Mapping[str, Any]
    base: Mapping[str, Any]
    names: tuple[str, ...]
    computes: bool
    operators: dict[int, Declaration] = field(default_factory=dict)

    def inputs(self, length: int) -> dict[str, Any]:
        """Return the inputs at this length."""
        return {**self.changes, **{name: (length, *self.base[name][1:]) for name in self.names}}

    def operator(self, length: int) -> Declaration:
        """Return the operator at this length, or raise a UsageError where it does not fit.

        Nothing else is to follow: what grows beside the length is then told by the names.
        """
        if length not in self.operators:
            found = self.kind(self.inputs(length), size=self.size)
            kept = {name: self.base[name] for name in found.shapes if name not in self.names}
            if not kept.items() <= found.shapes.items():
                raise UsageError(f"{found.name()}: {', '.join(kept)} would change with the length")
            self.operators[length] = found
        return self.operators[length]

    def work(self, length: int) -> int:
        """Return FLOP where the operator computes more than it moves, else bytes."""
        operator = self.operator(length)
        return operator.flop_count() if self.computes else operator.byte_count()

    def grows(self, start: int) -> bool:
        """Return whether the work is a constant and a multiple of the length, as a sweep needs."""
        try:
            once, twice, four = (self.work(start * factor) for factor in (1, 2, 4))
        except UsageError:
            return False
        return four - twice == 2 * (twice - once) > 0

    def lengths(self, start: int) -> Iterator[int]:
        """Yield lengths from `start` on, each with some four times the work of the last."""
        length = start
        while True:
            yield length
            more = self.growth(length)
            if more <= 0:
                return
            length += ceil((GROWTH - 1) * self.work(length) * length / more)

    def growth(self, length: int) -> int:
        """Return the work that doubling this length adds.

        None where the operator takes no such length, and where it costs nothing: more rows of a
        table than are ever looked up.
        """
        try:
            return self.work(2 * length) - self.work(length)
        except UsageError:
            return 0


def make_ladder(
    kind: type[Declaration], size: str, inputs: Mapping[str, Any], memory_limit: int | None
) -> Ladder:
    """Return the sizes of an operator; shapes beyond the leading dimension are those of `size`.

    Args:
        kind: the operator.
        size: where the shapes come from.
        inputs: inputs that differ from those.
        memory_limit: bytes that a child may take, None for no limit.
    """
    found = None
    for rung in rungs(kind, size, inputs):
        start = next((start for start in STARTS if rung.grows(start)), None)
        ladder = None if start is None else climb(rung, start, memory_limit)
        if ladder and ladder.points:
            return ladder
        found = found or ladder
    return found or Ladder(
        (), f"{kind.name()} is left out: no leading dimension scales it as a whole"
    )


def rungs(kind: type[Declaration], size: str, inputs: Mapping[str, Any]) -> Iterator[Rung]:
    """Yield the ways of scaling: inputs that share a leading dimension, then each by itself.

    Tensors go before attributes such as `shape`, the first tensor before the others; what has no
    dimension has none to scale.
    """
    base = kind(inputs, size=size)
    shapes = {name: each for name, each in base.inputs.items() if isinstance(each, tuple) and each}
    tensors = [name for name in base.shapes if name in shapes]
    computes = base.flop_count() >= base.byte_count()
    ways: dict[tuple[str, ...], None] = {}
    for first in tensors or shapes:
        length = shapes[first][0]
        ways[tuple(name for name in tensors if shapes[name][0] == length)] = None
        ways[tuple(name for name in shapes if shapes[name][0] == length)] = None
        ways[first,] = None
    yield from (Rung(kind, size, inputs, base.inputs, names, computes) for names in ways if names)


def climb(rung: Rung, start: int, memory_limit: int | None) -> Ladder:
    """Return the sizes up to what is large, or to what fits."""
    points: list[dict[str, Any]] = []
    room = None if memory_limit is None else memory_limit // MEMORY_SHARE
    trimmed = ""
    for length in rung.lengths(start):
        try:
            operator = rung.operator(length)
        except UsageError:  # its inputs must divide one another, say
            break
        if operator.byte_count() > LARGEST_SET or operator.flop_count() > LARGEST_WORK:
            break
        if room is not None and operator.memory_needed() > room:
            trimmed = f"; the next would take more than {format_bytes(room)}, {ROOM}"
            break
        points.append(rung.inputs(length))
    name = rung.kind.name()
    if len(points) < FEWEST:
        return Ladder((), f"{name} is left out: {len(points)} sizes fit, a line needs {FEWEST}")
    work = [rung.work(points[at][rung.names[0]][0]) for at in (0, -1)]
    low, high = (text(amount, computes=rung.computes) for amount in work)
    return Ladder(tuple(points), f"{name}: {len(points)} sizes, {low} to {high}{trimmed}")


def text(amount: int, *, computes: bool) -> str:
    """Return an amount of work as a person reads it."""
    return format_rate(amount, "FLOP") if computes else format_bytes(amount)
