"""Which sizes of a network's calls are its batch: found by capturing it with three of them.

The same step calls the same operators whatever the batch is. A number that grows by as much with
each further example, from the first batch to the second and to the third, is known at every other;
where one does not, or calls differ otherwise, nothing is known of the call.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

OTHERS = (2, 3, 4)
"""Batches that are captured beside one's own: small ones, and not 1, which broadcasts."""


@dataclass(frozen=True)
class BatchSteps:
    """A step's distinct calls at a batch, and which of them comes when."""

    batch: int
    calls: Sequence[Mapping[str, Any]]
    order: Sequence[int]


class UnknownGrowthError(Exception):
    """Nobody can tell how something grows with the batch."""


def other_batches(batch: int) -> tuple[int, int]:
    """Return two other batches."""
    first, second = [other for other in OTHERS if other != batch][:2]
    return first, second


def growth_of_calls(steps: Sequence[BatchSteps]) -> list[list[Any] | None]:
    """Return how much each argument of each distinct call of the first step grows an example.

    None for a call of which that is not known, [] for one that does not grow.
    """
    first = steps[0]
    if len({len(one.order) for one in steps}) > 1:
        return [None] * len(first.calls)
    alike: dict[int, set[tuple[int, ...]]] = {at: set() for at in range(len(first.calls))}
    for positions in zip(*(one.order for one in steps), strict=True):
        alike[positions[0]].add(positions)
    return [agreed(steps, found) for found in alike.values()]


def agreed(steps: Sequence[BatchSteps], found: set[tuple[int, ...]]) -> list[Any] | None:
    """Return how a call grows wherever it is made, None where it does so in several ways."""
    batches = [one.batch for one in steps]
    ways = [
        growth_of_call([one.calls[at] for one, at in zip(steps, positions, strict=True)], batches)
        for positions in found
    ]
    return ways[0] if ways and all(way == ways[0] for way in ways) else None


def growth_of_call(calls: Sequence[Mapping[str, Any]], batches: Sequence[int]) -> list[Any] | None:
    """Return how the arguments of the same call grow, None where that is not known."""
    arguments = [call["arguments"] for call in calls]
    names = [[one["name"] for one in each] for each in arguments]
    if len({call["operator"] for call in calls}) > 1 or names != [names[0]] * len(names):
        return None
    try:
        found = [
            growth([one["value"] for one in values], batches)
            for values in zip(*arguments, strict=True)
        ]
    except UnknownGrowthError:
        return None
    return found if any(each is not None for each in found) else []


def growth(values: Sequence[Any], batches: Sequence[int]) -> Any:
    """Return how a value grows, None where it does not.

    Raises:
        UnknownGrowthError: that is not known.
    """
    kinds = {type(value) for value in values}
    if kinds == {int}:
        return slope(values, batches) or None
    if kinds == {float}:  # no size depends on it, nor does any work
        return None
    if kinds == {list}:
        return growth_of_list(values, batches)
    if kinds == {dict} and {value["type"] for value in values} == {"tensor"}:
        return growth_of_tensor(values, batches)
    if any(value != values[0] for value in values):
        raise UnknownGrowthError
    return None


def growth_of_list(values: Sequence[list[Any]], batches: Sequence[int]) -> list[Any] | None:
    """Return how the items of a list grow, which are as many at each batch."""
    if len({len(value) for value in values}) > 1:
        raise UnknownGrowthError
    found = [growth(items, batches) for items in zip(*values, strict=True)]
    return found if any(each is not None for each in found) else None


def growth_of_tensor(
    values: Sequence[Mapping[str, Any]], batches: Sequence[int]
) -> dict[str, Any] | None:
    """Return how the sizes of a tensor grow, and its strides where they are stated."""
    ignored = ("shape", "strides", "values")
    others = [{name: each for name, each in one.items() if name not in ignored} for one in values]
    shapes = [one["shape"] for one in values]
    drawn = [one.get("values") or {} for one in values]
    if others != [others[0]] * len(others) or len({one.get("kind") for one in drawn}) > 1:
        raise UnknownGrowthError
    strides = [*strides_of(values)]
    shape, lying = slopes(shapes, batches), slopes(strides, batches) if strides else []
    below = slope([one.get("below") or 0 for one in drawn], batches)
    if not (any(shape) or any(lying) or below):
        return None
    beside = {"strides": lying or None, "below": below or None}
    return {"shape": shape, **{name: each for name, each in beside.items() if each is not None}}


def strides_of(values: Sequence[Mapping[str, Any]]) -> Iterator[list[int]]:
    """Yield the strides at each batch, none where the tensor is contiguous at all of them.

    Raises:
        UnknownGrowthError: it is at some, so that nobody knows at which others.
    """
    stated = [one.get("strides") is not None for one in values]
    if any(stated) and not all(stated):
        raise UnknownGrowthError
    if all(stated):
        yield from (one["strides"] for one in values)


def slopes(values: Sequence[Sequence[int]], batches: Sequence[int]) -> list[int]:
    """Return how each of some numbers grows, which are as many at each batch."""
    if len({len(value) for value in values}) > 1:
        raise UnknownGrowthError
    return [slope(items, batches) for items in zip(*values, strict=True)]


def slope(values: Sequence[int], batches: Sequence[int]) -> int:
    """Return by how much a number grows with each further example.

    Raises:
        UnknownGrowthError: not by the same whole number from each batch to each other one.
    """
    whole, rest = divmod(values[1] - values[0], batches[1] - batches[0])
    line = [values[0] + whole * (batch - batches[0]) for batch in batches]
    if rest or line != [*values]:
        raise UnknownGrowthError
    return whole
