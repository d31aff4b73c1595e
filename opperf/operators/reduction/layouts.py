"""Sums over strided elements."""

from __future__ import annotations

from opperf.core.tensors.tensor import TRANSPOSED
from opperf.declaring.layouts import WithLayouts
from opperf.operators.reduction.reduction import Sum


class SumColumns(Sum):
    """sum(data) along the first axis, whose elements are a row apart in memory.

    As of the gradient by a bias; skewed adds up long columns.
    """

    attributes = {"axis": 0}
    tags = ()


class SumTransposed(WithLayouts, Sum):
    """sum(data) along the last axis of a matrix that is transposed in memory."""

    layouts = {"data": TRANSPOSED}
