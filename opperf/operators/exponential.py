"""Exponentials and logarithms."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_TERMS, ROUNDED_STEPS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.elementwise import Binary, Unary, chain

POSITIVE = Tensor(low=0.1, high=10)


class Log(Unary):
    """ln(data)."""

    reference = np.log
    tensors = {"data": POSITIVE}
    tags = ("core",)


class Log2(Unary):
    """log2(data)."""

    reference = np.log2
    tensors = {"data": POSITIVE}


class Log10(Unary):
    """log10(data)."""

    reference = np.log10
    tensors = {"data": POSITIVE}


class Log1p(Unary):
    """ln(1 + data)."""

    reference = np.log1p
    tensors = {"data": Tensor(low=-0.75, high=10)}


class Exp(Unary):
    """exp(data)."""

    reference = np.exp
    gradient = chain(np.exp)
    tensors = {"data": Tensor(low=-8, high=8)}
    tags = ("core",)


class Exp2(Unary):
    """2^data."""

    reference = np.exp2
    tensors = {"data": Tensor(low=-8, high=8)}


class Expm1(Unary):
    """exp(data) - 1."""

    reference = np.expm1
    gradient_tolerance = CANCELING_TERMS.because("y + 1 of the rounded output y")


class LogAddExp(Binary):
    """ln(exp(lhs) + exp(rhs))."""

    reference: ClassVar[Any] = np.logaddexp
    tolerance = CANCELING_TERMS.because(
        "near its zeros, the larger input less its distance from the other"
    )
    gradient_tolerance = ROUNDED_STEPS
    flops_per_element = 4  # two exponentials, a sum and a logarithm


class LogAddExp2(LogAddExp):
    """log2(2^lhs + 2^rhs)."""

    reference: ClassVar[Any] = np.logaddexp2
