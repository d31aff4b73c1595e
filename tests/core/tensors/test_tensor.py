"""The host arrays that fill an operator's inputs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from opperf.core.errors import UsageError
from opperf.core.tensors.tensor import (
    DTYPES,
    FLOATS,
    INITIALIZERS,
    INTEGERS,
    ITEMSIZE,
    Tensor,
    fill,
    find_initializer,
    normal,
    round_to,
    uniform,
)

RANGES = [(-math.inf, math.inf), (0.5, 1.5), (-10, 10), (0, math.inf), (-math.inf, -2)]
HELD = {"bfloat16": "float32"}


@pytest.mark.parametrize("bounds", RANGES)
@pytest.mark.parametrize("name", INITIALIZERS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_values_lie_in_their_range_and_are_not_all_alike(
    name: str, bounds: tuple[float, float], dtype: str
) -> None:
    """Every initializer keeps every declared range, up to the rounding of the dtype."""
    low, high = bounds
    tensors = {"data": Tensor(low=low, high=high)}
    filled = fill(tensors, {"data": (50, 40)}, dtype=dtype, initializer=INITIALIZERS[name], seed=0)
    array = filled["data"]
    assert array.shape == (50, 40)
    assert array.dtype == HELD.get(dtype, dtype)
    assert np.isfinite(array).all()
    assert low <= array.min() < array.max() <= high
    assert len(np.unique(array)) > 50


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("bounds", [(-math.inf, math.inf), (0, 5), (-10.5, 10.5), (0, math.inf)])
def test_whole_numbers_lie_in_their_range(dtype: str, bounds: tuple[float, float]) -> None:
    """Integer tensors hold whole numbers of the range, small enough that products do not wrap."""
    low, high = bounds
    tensors = {"data": Tensor(low=low, high=high)}
    filled = fill(tensors, {"data": (500,)}, dtype=dtype, initializer=normal, seed=0)
    assert filled["data"].dtype == dtype
    assert max(low, -11) <= filled["data"].min() < filled["data"].max() <= min(high, 11)


def test_equal_seeds_give_equal_arrays() -> None:
    """The same seed gives every framework the same numbers; another seed, others."""
    tensors = {"lhs": Tensor(), "rhs": Tensor()}
    shapes = {"lhs": (8, 8), "rhs": (8, 8)}
    first, again, other = (
        fill(tensors, shapes, dtype="float32", initializer=normal, seed=seed) for seed in (3, 3, 4)
    )
    assert all(np.array_equal(first[name], again[name]) for name in tensors)
    assert not np.array_equal(first["lhs"], other["lhs"])
    assert not np.array_equal(first["lhs"], first["rhs"])


def test_a_tensor_may_have_a_dtype_of_its_own() -> None:
    """Indices stay whole whatever the operator's dtype is."""
    tensors = {"data": Tensor(), "index": Tensor(low=0, high=9, dtype="int64")}
    shapes = {"data": (4,), "index": (100,)}
    filled = fill(tensors, shapes, dtype="float16", initializer=uniform, seed=0)
    assert (filled["data"].dtype, filled["index"].dtype) == (np.float16, np.int64)
    assert filled["index"].min() >= 0
    assert filled["index"].max() <= 9


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_shape_without_dimensions_stays_one(dtype: str) -> None:
    """A single number is filled as a single number, not as a vector of one."""
    filled = fill({"data": Tensor()}, {"data": ()}, dtype=dtype, initializer=normal, seed=0)
    assert filled["data"].shape == ()


def test_bfloat16_rounds_to_nearest_even() -> None:
    """Eight bits of precision, ties to even, infinities kept."""
    values = np.array([1.0, 1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-7, -3.140625, 1e-40, math.inf])
    rounded = round_to(values, "bfloat16")
    assert rounded.dtype == np.float32
    assert rounded.tolist()[:5] == [1.0, 1.0, 1 + 2**-6, 1 + 2**-7, -3.140625]
    assert rounded[6] == math.inf
    assert not (rounded.view(np.uint32) & 0xFFFF).any()


def test_every_dtype_has_its_size() -> None:
    """Bytes are counted by the dtype's own size."""
    for dtype in DTYPES:
        assert ITEMSIZE[dtype] == (2 if dtype == "bfloat16" else np.dtype(dtype).itemsize)


def test_an_initializer_is_a_function_or_a_name() -> None:
    """Both spellings give the function; anything else is refused with what is allowed."""
    assert find_initializer("uniform") is uniform
    assert find_initializer(normal) is normal
    with pytest.raises(
        UsageError, match=r"'nrmal'; did you mean 'normal'\? allowed: normal, uniform"
    ):
        find_initializer("nrmal")
    with pytest.raises(UsageError, match="5"):
        find_initializer(5)
