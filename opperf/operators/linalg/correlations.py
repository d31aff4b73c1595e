"""Covariance and correlation matrices; the rows are variables."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.linalg.linalg import LAPACK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape
    from opperf.declaring.elementwise import Sizes


def covariance(data: Array) -> Array:
    """C C^T / (n - 1), with C the rows less their means."""
    return np.cov(data, dtype=data.dtype)


def covariance_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Differentiate C C^T / (n - 1)."""
    centered = data - data.mean(axis=1, keepdims=True)
    return ((cotangents[0] + cotangents[0].T) @ centered / (data.shape[1] - 1),)


def correlation(data: Array) -> Array:
    """cov[i, j] / sqrt(cov[i, i] cov[j, j])."""
    return np.corrcoef(data, dtype=data.dtype)


def correlation_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Differentiate by the covariances, then by the data."""
    found, cotangent = covariance(data), cotangents[0]
    deviation = np.sqrt(np.diag(found))
    by_covariance = cotangent / np.outer(deviation, deviation)
    shared = (cotangent + cotangent.T) * correlation(data)
    by_covariance -= np.diag(shared.sum(axis=1) / (2 * np.diag(found)))
    return covariance_gradient([by_covariance], data)


class RowPairOperator(Declaration, abstract=True):
    """An operator from a matrix to one number per pair of rows."""

    tensors = {"data": Tensor()}
    sizes: ClassVar[Sizes] = {
        "small": {"data": (16, 64)},
        "typical": {"data": (256, 1024)},
        "large": {"data": (1024, 4096)},
        "skewed": {"data": (3, 50257)},
    }
    dtypes = LAPACK
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return one number per pair of rows."""
        self.require_rank("data", 2)
        rows, columns = self.inputs["data"]
        self.require(rows > 1 and columns > 1, "data", "must have more than one row and column")
        return ((rows, rows),)


class Cov(RowPairOperator):
    """The covariance matrix of the rows."""

    reference = covariance
    gradient = covariance_gradient

    def flop_count(self) -> int:
        """Return m (m + 1) n, for the symmetric product of m rows of n."""
        return (int(self.inputs["data"][0]) + 1) * prod(self.inputs["data"])


class CorrCoef(Cov):
    """The matrix of Pearson's correlation coefficients of the rows."""

    reference = correlation
    gradient = correlation_gradient
