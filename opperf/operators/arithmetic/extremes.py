"""Element-wise maximum and minimum; there is no derivative where two elements are equal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.checking.derivative import unbroadcast
from opperf.core.tensors.tensor import FLOATS
from opperf.declaring.ties import TieSensitive
from opperf.operators.arithmetic.arithmetic import Arithmetic

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.tensors.tensor import Array


def choice(prefers_left: Callable[..., Array]) -> Any:
    """Return the gradient of an element-wise choice: the chosen element gets all of it."""

    def gradient(cotangents: Sequence[Array], lhs: Array, rhs: Array) -> tuple[Array, Array]:
        left = prefers_left(lhs, rhs)
        by_lhs, by_rhs = np.where(left, cotangents[0], 0), np.where(left, 0, cotangents[0])
        return unbroadcast(by_lhs, lhs.shape), unbroadcast(by_rhs, rhs.shape)

    return gradient


class Extreme(TieSensitive, Arithmetic, abstract=True):
    """The larger or the smaller of two elements."""

    def ties(self, arrays: Sequence[Array]) -> Array:
        """Return where the elements are equal."""
        lhs, rhs = arrays
        return lhs == rhs


class Maximum(Extreme):
    """max(lhs, rhs), element-wise."""

    reference = np.maximum
    gradient = choice(np.greater)


class Minimum(Extreme):
    """min(lhs, rhs), element-wise."""

    reference = np.minimum
    gradient = choice(np.less)


class FMax(Extreme):
    """max(lhs, rhs), element-wise, ignoring NaN."""

    reference = np.fmax
    gradient = choice(np.greater)
    dtypes = FLOATS


class FMin(Extreme):
    """min(lhs, rhs), element-wise, ignoring NaN."""

    reference = np.fmin
    gradient = choice(np.less)
    dtypes = FLOATS
