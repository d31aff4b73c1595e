"""Arithmetic of tensors that do not lie in memory in the same way."""

from __future__ import annotations

from opperf.core.tensors.tensor import TRANSPOSED
from opperf.declaring.layouts import LaidOut
from opperf.operators.arithmetic.arithmetic import Add


class AddTransposed(LaidOut, Add):
    """The sum of a tensor and one that lies transposed in memory, so that either jumps."""

    layouts = {"rhs": TRANSPOSED}
