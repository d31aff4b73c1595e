"""The gradients of matrix products by one factor, each by itself.

They are products of other shapes, of which other factors are transposed.
"""

from __future__ import annotations

from opperf.declaring.one_gradient import OneGradient
from opperf.operators.gemm.contractions import MatMul
from opperf.operators.gemm.gemm import BatchDot, Dense, Dot


class DotLeftGradient(OneGradient, Dot):
    """The gradient of Dot by its left factor alone."""

    by = "lhs"


class DotRightGradient(OneGradient, Dot):
    """The gradient of Dot by its right factor alone."""

    by = "rhs"


class BatchDotLeftGradient(OneGradient, BatchDot):
    """The gradient of BatchDot by its left factor alone."""

    by = "lhs"


class BatchDotRightGradient(OneGradient, BatchDot):
    """The gradient of BatchDot by its right factor alone."""

    by = "rhs"


class MatMulLeftGradient(OneGradient, MatMul):
    """The gradient of MatMul by its left factor alone."""

    by = "lhs"


class MatMulRightGradient(OneGradient, MatMul):
    """The gradient of MatMul by its right factor alone."""

    by = "rhs"


class DenseDataGradient(OneGradient, Dense):
    """The gradient of Dense by its data alone."""

    by = "data"


class DenseWeightGradient(OneGradient, Dense):
    """The gradient of Dense by its weight alone."""

    by = "weight"
