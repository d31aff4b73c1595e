"""Gradients that follow the elements that a reference moves."""

import numpy as np
from numpy.typing import NDArray

from opperf.declaring.moving import gather_gradient

Array = NDArray[np.float64]


def pick(data: Array, index: NDArray[np.int64], other: Array, *, value: float) -> Array:
    """Return some elements, a constant, and another tensor."""
    return np.concatenate((data[index], [value], other.ravel()))


def test_each_gradient_goes_back_to_where_its_element_came_from() -> None:
    """An element that was found twice gets the sum, one that was not gets zero, in every tensor."""
    gradient = gather_gradient(pick, value=0.0)
    seed = np.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0])
    index = np.array([2, 0, 2])
    by_data, by_other = gradient([seed], np.zeros(4), index, np.zeros((1, 2)), value=7.0)
    np.testing.assert_array_equal(by_data, [2.0, 0.0, 5.0, 0.0])
    np.testing.assert_array_equal(by_other, [[16.0, 32.0]])


def test_several_outputs_count_together() -> None:
    """Of an operator that splits, each part's gradient belongs to that part."""
    gradient = gather_gradient(lambda data: tuple(np.split(data, 2)))
    (found,) = gradient([np.array([1.0]), np.array([2.0])], np.zeros(2))
    np.testing.assert_array_equal(found, [1.0, 2.0])
