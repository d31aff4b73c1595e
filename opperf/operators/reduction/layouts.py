"""Sums whose terms do not lie side by side in memory."""

from __future__ import annotations

from opperf.core.tensors.tensor import TRANSPOSED
from opperf.declaring.layouts import LaidOut
from opperf.operators.reduction.reduction import Sum


class SumColumns(Sum):
    """The sum along the first axis, whose terms lie a row apart.

    As of the gradient by a bias; skewed adds up long columns.
    """

    attributes = {"axis": 0}
    tags = ()


class SumTransposed(LaidOut, Sum):
    """The sum along the last axis of a matrix that lies transposed in memory."""

    layouts = {"data": TRANSPOSED}
