"""Cold caches: sets of tensors in turn, so many that each has left the cache when it comes again.

Outputs are kept until their set comes again, so that they are written to cold memory as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from math import ceil
from typing import TYPE_CHECKING

from opperf.core.environment.processor import cache_bytes
from opperf.core.statistics.warning import MeasurementWarning
from opperf.core.units import format_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from opperf.core.frameworks.device import Device, Step
    from opperf.core.frameworks.workload import Work
    from opperf.core.preparing.case import Case

CACHES = 3
"""How many times the last-level cache a ring fills; twice would do where the oldest goes first."""
MOST_SETS = 4096
"""Binding a set takes some 50 us: more would take longer than measuring."""
MEMORY_SHARE = 4
"""A ring takes at most one part in so many of the memory that is free."""
UNKNOWN_CACHE = 64 * 2**20


@dataclass(frozen=True)
class Ring:
    """How many sets of tensors are used in turn, and what has to be said of that."""

    sets: int
    warnings: tuple[MeasurementWarning, ...] = ()


def plan_ring(case: Case, device: Device, free: int | None = None) -> Ring:
    """Return a ring for these tensors, trimmed to a quarter of the free memory in bytes."""
    held = sum(array.nbytes for array in (*case.arrays.values(), *case.cotangents))
    return ring_of(held, device, free)


def ring_of(nbytes: int, device: Device, free: int | None = None) -> Ring:
    """Return a ring for sets of so many bytes, trimmed likewise."""
    held = nbytes or 1
    taken = held * 2  # with the outputs, which are of about the inputs' size
    cache = device.cache_bytes or cache_bytes() or UNKNOWN_CACHE
    wanted = CACHES * cache
    if held >= wanted:
        text = f"one set of tensors is {format_bytes(held)}: it never stays in the cache anyhow"
        return Ring(1, (MeasurementWarning("cold_is_hot", text),))
    free = device.free_bytes() if free is None else free
    room = MOST_SETS if free is None else free // MEMORY_SHARE // taken
    sets = ceil(wanted / held)
    if sets <= min(room, MOST_SETS):
        return Ring(sets)
    sets = max(min(room, MOST_SETS), 1)
    text = f"the ring holds {format_bytes(sets * held)} of the {format_bytes(wanted)} it should"
    return Ring(sets, (MeasurementWarning("ring_trimmed", text),))


class Slot:
    """Where a set's outputs are kept until the set comes again."""

    __slots__ = ("output",)

    def keep(self, step: Step) -> None:
        """Call, and let go of the former outputs only then: their memory must not be reused."""
        self.output = step()


def in_turn(works: Sequence[Callable[[], Work]]) -> Work:
    """Return the work that calls each of these in turn, going on where the last batch ended."""
    made = [make() for make in works]
    slots = [Slot() for _ in made]
    first, count = made[0], len(made)
    start = 0

    def steps(iterations: int) -> Iterable[Step]:
        nonlocal start
        turns = [(iterations - position + count - 1) // count for position in range(count)]
        order = [(start + position) % count for position in range(count)]
        prepared = [
            list(islice(made[at].steps(turns[position]), turns[position]))
            for position, at in enumerate(order)
        ]
        calls = [
            partial(slots[order[turn % count]].keep, prepared[turn % count][turn // count])
            for turn in range(iterations)
        ]
        start = (start + iterations) % count
        return calls

    return replace(
        first,
        steps=steps,
        no_op=partial(Slot().keep, first.no_op),
        least=count,
        limit=max(first.limit, count),
    )
