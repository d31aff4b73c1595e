"""Gradients of matrix products by one factor alone.

They are products of other shapes, of which other factors are transposed.
"""

from __future__ import annotations

from opperf.declaring.one_gradient import OneGradient
from opperf.operators.gemm.contractions import MatMul
from opperf.operators.gemm.gemm import BatchDot, Dense, Dot


class DotLeftGradient(OneGradient, Dot):
    """Gradient of Dot by lhs alone."""

    by = "lhs"


class DotRightGradient(OneGradient, Dot):
    """Gradient of Dot by rhs alone."""

    by = "rhs"


class BatchDotLeftGradient(OneGradient, BatchDot):
    """Gradient of BatchDot by lhs alone."""

    by = "lhs"


class BatchDotRightGradient(OneGradient, BatchDot):
    """Gradient of BatchDot by rhs alone."""

    by = "rhs"


class MatMulLeftGradient(OneGradient, MatMul):
    """Gradient of MatMul by lhs alone."""

    by = "lhs"


class MatMulRightGradient(OneGradient, MatMul):
    """Gradient of MatMul by rhs alone."""

    by = "rhs"


class DenseDataGradient(OneGradient, Dense):
    """Gradient of Dense by data alone."""

    by = "data"


class DenseWeightGradient(OneGradient, Dense):
    """Gradient of Dense by weight alone."""

    by = "weight"
