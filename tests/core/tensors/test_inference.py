"""What holds of the shapes in every size is taken for a rule, and proposes those left out."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.tensors.inference import MOST, proposals

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Shape

Sizes = list[dict[str, Any]]


def first(sizes: Sizes, given: dict[str, Any], *left_out: str) -> dict[str, Shape]:
    """Return the likeliest shapes of what is left out."""
    return next(proposals(iter(sizes), sizes[0], given, left_out))


DENSE: Sizes = [
    {"data": (16, 64), "weight": (64, 64), "bias": (64,)},
    {"data": (128, 768), "weight": (3072, 768), "bias": (3072,)},
    {"data": (1, 2048), "weight": (1000, 2048), "bias": (1000,)},
]


def test_equal_dimensions_follow() -> None:
    """The features of data, and the units of whichever has them; no coincidence of one size."""
    assert first(DENSE, {"data": (2, 5)}, "weight", "bias") == {"weight": (64, 5), "bias": (64,)}
    assert first(DENSE, {"bias": (7,)}, "data", "weight") == {"data": (16, 64), "weight": (7, 64)}
    given = {"data": (2, 5), "bias": (7,)}
    assert first(DENSE, given, "weight") == {"weight": (7, 5)}


def test_a_part_of_a_shape_follows_at_any_rank() -> None:
    """All of it, or all but the ends, however many dimensions are given."""
    whole: Sizes = [{"a": (2, 3), "b": (2, 3)}, {"a": (5, 7), "b": (5, 7)}]
    assert first(whole, {"a": (4, 3, 2)}, "b") == {"b": (4, 3, 2)}
    rows: Sizes = [{"a": (2, 3), "b": (2,)}, {"a": (5, 7), "b": (5,)}]
    assert first(rows, {"a": (4, 3, 2)}, "b") == {"b": (4, 3)}


def test_multiples_follow() -> None:
    """Of a dimension, of all elements, of a dimension times an attribute or over it."""
    gates: Sizes = [{"a": (8,), "b": (32, 8)}, {"a": (5,), "b": (20, 5)}]
    assert first(gates, {"a": (3,)}, "b") == {"b": (12, 3)}
    assert first(gates, {"b": (12, 3)}, "a") == {"a": (3,)}
    elements: Sizes = [{"a": (2, 3), "b": (6,)}, {"a": (5, 7), "b": (35,)}]
    assert first(elements, {"a": (4, 4)}, "b") == {"b": (16,)}
    heads: Sizes = [{"a": (6, 2), "b": (12, 9), "n": 2}, {"a": (6, 5), "b": (30, 9), "n": 5}]
    heads += [{"a": (4, 1), "b": (12, 9), "n": 3}]
    assert first(heads, {"a": (7, 1), "n": 3}, "b") == {"b": (21, 9)}
    assert first(heads, {"b": (20, 9), "n": 5}, "a") == {"a": (4, 2)}


def test_a_constant_stays() -> None:
    """A window of three by three is no multiple of the channels."""
    sizes: Sizes = [{"a": (6, 9), "b": (3,)}, {"a": (12, 5), "b": (3,)}]
    assert first(sizes, {"a": (2, 2)}, "b") == {"b": (3,)}


def test_what_holds_in_the_size_asked_for_comes_later() -> None:
    """Rows no more than there are, where no rule says how many."""
    sizes: Sizes = [{"a": (64, 4), "b": (16, 4)}, {"a": (100, 7), "b": (99, 7)}]
    found = [proposal["b"] for proposal in proposals(sizes, sizes[0], {"a": (32, 4)}, ["b"])]
    assert found[0] == (16, 4)
    assert (8, 4) in found


@pytest.mark.parametrize("begin", [(0, 0), (), (1, -1)])
def test_attributes_may_be_anything(begin: tuple[int, ...]) -> None:
    """Tuples of zeros, of negative numbers and of none at all."""
    sizes: Sizes = [{"a": (4, 4), "b": (2, 2), "begin": begin, "on": True, "x": 0.5, "n": 0}] * 2
    given = {"a": (6, 6), "begin": begin, "on": True, "x": 0.5, "n": 0}
    assert {"b": (2, 2)} in [*proposals(sizes, sizes[0], given, ["b"])]


def test_nothing_is_proposed_where_nothing_is_left_out() -> None:
    """There is nothing to try."""
    assert [*proposals(DENSE, DENSE[0], DENSE[0], [])] == []


def test_the_proposals_are_few() -> None:
    """However many tensors and dimensions there are."""
    names = "abcdefgh"
    sizes: Sizes = [dict.fromkeys(names, (3,) * 8), dict.fromkeys(names, (4,) * 8)]
    given = {"a": tuple(range(2, 10))}
    found = islice(proposals(sizes, sizes[0], given, names[1:]), 4 * MOST)
    assert len([*found]) <= 3 * MOST
