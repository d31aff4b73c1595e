"""Arithmetic of tensors with different memory layouts."""

from __future__ import annotations

from opperf.core.tensors.tensor import TRANSPOSED
from opperf.declaring.layouts import WithLayouts
from opperf.operators.arithmetic.arithmetic import Add


class AddTransposed(WithLayouts, Add):
    """lhs + rhs, with rhs transposed in memory: one of the two is read with a stride."""

    layouts = {"rhs": TRANSPOSED}
