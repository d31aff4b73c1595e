"""Declared FLOP and bytes against bounds from inputs and outputs, and against the reference.

What is read of an input is what may change the reference's outputs: an element that none of many
other values changes them from is not read, and counting it would make a rate that cannot be.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from opperf.core.checking.expectation import Expectation
from opperf.core.tensors.tensor import ITEMSIZE
from opperf.declaring.registry import find_operator

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.declaring.declaration import Declaration

    Values = list[np.ndarray[Any, Any]]

SAMPLED, SAMPLED_OF_A_PART = 12, 100
"""How many elements of an input are changed, one at a time; more where a share is estimated."""
DRAWS = 6
"""What one draw's values hide (the branch of a condition, say) another draw's show."""
MARGIN = 0.2
"""By how much the share among the sampled elements may be off: four standard errors of 100."""
HIDDEN = {
    ("Heaviside", "rhs"): "decides only where the left element is zero",
    ("LogicalOr", "lhs"): "decides only where the right element is zero",
    ("LogicalOr", "rhs"): "decides only where the left element is zero",
    ("LUSolve", "pivots"): "the reference knows the rows' order",
    ("Mode", "data"): "few elements decide which value is the most frequent",
    ("SegmentMax", "lengths"): "all are equal, so that the reference needs their number only",
    ("SegmentSum", "lengths"): "all are equal, so that the reference needs their number only",
    ("SpatialTransformer", "data"): "few points are sampled of so small an image",
    ("UniformDensity", "sample"): "only whether it lies within the bounds",
}
"""Inputs that are read whole, which the reference's outputs do not show, and why."""
COMBINING = {
    "attention", "convolution", "detection", "fused", "gemm", "linalg", "quantization",
    "recurrent",
}  # fmt: skip
"""Categories in which an output may depend on many elements, each with as many operations."""
MOST_A_PAIR, MOST_AN_ELEMENT = 16, 32
"""FLOP: of an input's element with an output's, and of an element alone."""


def test_counts_lie_between_bounds(kind: type[Declaration]) -> None:
    """At every size: no byte beyond inputs and outputs, no more FLOP than elements can take."""
    for size in kind.sizes:
        operator = kind(size=size)
        dtypes = {name: tensor.dtype or operator.dtype for name, tensor in kind.tensors.items()}
        given = sum(prod(shape) * ITEMSIZE[dtypes[n]] for n, shape in operator.shapes.items())
        moved = operator.byte_count()
        whole = given + operator.output_bytes()
        assert operator.output_bytes() <= moved <= whole
        assert (moved == whole) or kind.part_read or kind.unread, "no reason is stated"
        taken, made = (
            sum(map(prod, shapes)) for shapes in (operator.shapes.values(), operator.outputs())
        )
        most = MOST_AN_ELEMENT * (taken + made)
        if kind.category in COMBINING:
            most = max(most, MOST_A_PAIR * taken * made)
        assert 0 <= operator.flop_count() <= most


def test_what_is_not_read_is_stated(kind: type[Declaration]) -> None:
    """Each input is read whole, in the part declared, or not at all, as the reference does."""
    if kind.category == "sparse":
        pytest.skip("what is stored of a matrix depends on its values")
    operator = kind(size="small")
    reader = Reader(operator)
    for name, count in operator.elements_read().items():
        shape = operator.shapes[name]
        if not prod(shape) or (kind.name(), name) in HIDDEN:
            continue
        in_part = name in kind.part_read
        least, most = reader.shares(name, SAMPLED_OF_A_PART if in_part else SAMPLED)
        share = count / prod(shape)
        said = f"{name}: {share:.0%} declared, {least:.0%} to {most:.0%} found"
        margin = MARGIN if in_part else 0
        assert least - margin <= share <= most + margin, said


class Reader:
    """Which elements of its inputs an operator's reference reads."""

    def __init__(self, operator: Declaration) -> None:
        self.operator = operator
        self.draws = [Expectation(operator, seed).exact for seed in range(DRAWS)]
        self.names = [*operator.tensors]

    def shares(self, name: str, count: int) -> tuple[float, float]:
        """Return which share of the elements is read with the first draw, and with any of all."""
        at = self.names.index(name)
        size = self.draws[0][at].size
        places = np.random.default_rng(0).permutation(size)[:count]
        found = [[self.reads(draw, at, place) for place in places] for draw in self.draws[:1]]
        for draw in self.draws[1:]:
            left = np.flatnonzero(~np.any(found, axis=0))
            later = np.zeros(len(places), bool)
            later[left] = [self.reads(draw, at, places[each]) for each in left]
            found.append([*later])
        return float(np.mean(found[0])), float(np.mean(np.any(found, axis=0)))

    def reads(self, arrays: Values, at: int, place: int) -> bool:
        """Return whether another value at a place changes the outputs, or is refused.

        What is left alone in place stays the value that it was: it is not read.
        """
        before = self.outputs(arrays)
        for value in self.others(arrays, at, place):
            changed = arrays[at].copy()
            changed.flat[place] = value
            try:
                after = self.outputs([*arrays[:at], changed, *arrays[at + 1 :]])
            except (ArithmeticError, IndexError, ValueError):
                return True
            if self.operator.tensors[self.names[at]].mutated:
                after = left_alone(before, after, arrays[at], changed, place)
            if not alike(before, after):
                return True
        return False

    def outputs(self, arrays: Values) -> Values:
        """Return the reference's outputs, of copies: some references work in place."""
        with np.errstate(all="ignore"):
            return self.operator.evaluate([array.copy() for array in arrays])

    def others(self, arrays: Values, at: int, place: int) -> Iterator[float]:
        """Yield values that may make a difference, the most telling first."""
        array = arrays[at]
        own = array.flat[place]
        if array.dtype.kind == "f":
            yield from (np.nan, np.inf, -np.inf, 0.0, 1.0, -own)
        else:
            yield from {own + 1, own - 1, 0, 1, 127, -128} - {own}
        yield from (draw[at].flat[place] for draw in self.draws)
        yield from (array.flat[(place + step) % array.size] for step in (1, -1))
        yield from (other.flat[place] for other in arrays if other.shape == array.shape)


def left_alone(before: Values, after: Values, array: Any, changed: Any, place: int) -> Values:
    """Return the outputs after a change, less what the tensor in place merely keeps of it."""
    kept = [output.copy() for output in after]
    for output, first in zip(kept, before, strict=True):
        own = [each.flat[place : place + 1] for each in (first, array, output, changed)]
        same = output.shape == array.shape and all(
            np.array_equal(one, other, equal_nan=True) for one, other in (own[:2], own[2:])
        )
        if same:
            output.flat[place] = first.flat[place]
    return kept


def alike(before: Sequence[Any], after: Sequence[Any]) -> bool:
    """Return whether outputs are the same, NaN for NaN."""
    return all(
        one.shape == other.shape and np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")
        for one, other in zip(before, after, strict=True)
    )


def test_only_the_triangle_is_computed() -> None:
    """What symmetry, a triangle or causality save is not counted, whatever a framework does."""
    syrk = find_operator("Syrk")(inputs={"data": (3, 5)})
    assert syrk.flop_count() == 6 * 5 * 2
    trmm = find_operator("Trmm")(inputs={"lhs": (3, 3), "rhs": (3, 5)})
    assert trmm.flop_count() == 6 * 5 * 2
    shape = (1, 2, 3, 4)
    causal = find_operator("CausalAttention")(inputs={"query": shape, "key": shape, "value": shape})
    assert causal.flop_count() == 2 * 6 * 2 * (4 + 4)
