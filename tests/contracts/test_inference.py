"""The shapes that are left out follow from those that are given, for every operator."""

from __future__ import annotations

from contextlib import suppress
from math import prod
from typing import TYPE_CHECKING

import pytest

from opperf.core.checking.expectation import Expectation
from opperf.core.errors import UsageError
from opperf.core.tensors.bounds import MOST_ELEMENTS
from opperf.declaring.registry import operators

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Shape
    from opperf.declaring.declaration import Declaration

SEVERAL = [kind for kind in operators().values() if len(kind.tensors) > 1]
"""The operators that have parameters."""

SQUARE = "its first tensor is a matrix as high as wide"
BEYOND_THE_RULES = {
    "ConvAddReLU": "what is added has the size that stride, padding and kernel leave",
    "GroupedConv2D": "filters and channels must have a number of groups in common",
    "SegmentSum": "the rows must be a multiple of the segments",
    "SegmentMax": "likewise",
    "ScatterND": "the points must lie in `shape`, and be no more",
    "MaskedScatter": "the source holds half the elements of a matrix: any with twice as many",
    "ReshapeLike": "any shape with as many elements",
}
"""Where one tensor, or the attributes of another size, leave no single answer for the others."""
CONTRADICTORY = {
    "Trmm": SQUARE,
    "DiagonalScatter": SQUARE,
    "LUSolve": SQUARE,
    "Solve": SQUARE,
    "TriangularSolve": SQUARE,
    "TensorSolve": "its first tensor is a square, folded",
}
"""What does not exist with one more row, whatever the other tensors are."""


def named(kinds: list[type[Declaration]]) -> pytest.MarkDecorator:
    """Return the parameters of a test of each of these operators."""
    return pytest.mark.parametrize("several", kinds, ids=lambda kind: kind.name())


def attributes_of(kind: type[Declaration], size: str) -> dict[str, object]:
    """Return the attributes of a size."""
    return kind(size=size).keywords


def tensors_of(kind: type[Declaration], size: str) -> dict[str, Shape]:
    """Return the shapes of a size."""
    return kind(size=size).shapes


@named([kind for kind in SEVERAL if kind.name() not in BEYOND_THE_RULES])
@pytest.mark.parametrize("size", ["small", "skewed"])
def test_any_one_tensor_is_enough(several: type[Declaration], size: str) -> None:
    """Each by itself, with the shape and the attributes that it has in another size."""
    attributes = attributes_of(several, size)
    for name, shape in tensors_of(several, size).items():
        found = several({name: shape, **attributes})
        assert found.shapes[name] == shape
        assert found.outputs()


@named([kind for kind in SEVERAL if kind.name() not in CONTRADICTORY])
def test_data_of_any_batch_are_enough(several: type[Declaration]) -> None:
    """The first tensor alone, one row longer than in any size; the reference takes the rest."""
    (name, shape), *_ = tensors_of(several, "small").items()
    longer = (shape[0] + 1, *shape[1:])
    dtype = "float64" if "float64" in several.dtypes else several.dtypes[0]
    found = several({name: longer, "dtype": dtype}, size="small")
    outputs = Expectation(found, seed=0).outputs(training=False)
    assert [array.shape for array in outputs] == [*found.outputs()]


@named([kind for kind in SEVERAL if kind.name() in CONTRADICTORY])
def test_a_contradiction_is_an_error(several: type[Declaration]) -> None:
    """It names the tensor that is given."""
    (name, shape), *_ = tensors_of(several, "small").items()
    with pytest.raises(UsageError, match=f"{several.name()}: {name}="):
        several({name: (shape[0] + 1, *shape[1:])}, size="small")


@named(SEVERAL)
def test_what_fits_stays_as_it_is(several: type[Declaration]) -> None:
    """A tensor of its usual shape changes no other, and all of them given are all taken."""
    usual = tensors_of(several, "typical")
    for name, shape in usual.items():
        assert several({name: shape}).shapes == usual
    small = tensors_of(several, "small")
    assert several({**small, **attributes_of(several, "small")}).shapes == small


def test_elements_are_not_beyond_what_can_be() -> None:
    """No shape that follows from a tensor of nearly 2**62 elements has more."""
    rows = 2**60
    for name, shape in (("BatchDot", (rows, 1, 1)), ("Dense", (1, rows)), ("Dot", (rows, 3))):
        kind = operators()[name]
        with suppress(UsageError):
            found = kind({next(iter(kind.tensors)): shape})
            assert max(map(prod, found.shapes.values())) <= MOST_ELEMENTS


def test_lengths_are_not_written_down_without_end() -> None:
    """Data follow from two billion lengths, and are refused before these are added up."""
    with pytest.raises(UsageError, match="PackPaddedSequence: "):
        operators()["PackPaddedSequence"]({"lengths": (2**31,)})
