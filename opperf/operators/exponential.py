"""Exponentials and logarithms."""

import numpy as np

from opperf.core.tensor import Tensor
from opperf.operators.elementwise import Unary


class Log(Unary):
    """The natural logarithm of each element."""

    reference = staticmethod(np.log)
    tensors = {"data": Tensor(low=0.1, high=10)}
    tags = ("core",)


class Exp(Unary):
    """The exponential of each element."""

    reference = staticmethod(np.exp)
    tensors = {"data": Tensor(low=-8, high=8)}
    tags = ("core",)


class Expm1(Unary):
    """The exponential of each element, less one."""

    reference = staticmethod(np.expm1)
