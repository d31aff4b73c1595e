"""Powers with a fixed exponent."""

import numpy as np

from opperf.core.tensor import DTYPES, Tensor
from opperf.operators.elementwise import Unary


class Sqrt(Unary):
    """The square root of each element."""

    reference = staticmethod(np.sqrt)
    tensors = {"data": Tensor(low=0.1, high=10)}
    tags = ("core",)


class Square(Unary):
    """The square of each element."""

    reference = staticmethod(np.square)
    dtypes = DTYPES
