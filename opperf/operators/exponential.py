"""Exponentials and logarithms."""

import numpy as np

from opperf.core.tensor import Tensor
from opperf.operators.elementwise import Unary


class Exp(Unary):
    """The exponential of each element."""

    category = "exponential"
    reference = staticmethod(np.exp)
    tensors = {"data": Tensor(low=-10, high=10)}
