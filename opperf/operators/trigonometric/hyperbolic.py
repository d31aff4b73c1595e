"""Hyperbolic functions and their inverses; the tangent is an activation."""

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.elementwise import Unary


class Sinh(Unary):
    """The hyperbolic sine of each element."""

    reference = np.sinh
    tensors = {"data": Tensor(low=-4, high=4)}


class Cosh(Unary):
    """The hyperbolic cosine of each element."""

    reference = np.cosh
    tensors = {"data": Tensor(low=-4, high=4)}


class ArcSinh(Unary):
    """The inverse of the hyperbolic sine."""

    reference = np.arcsinh


class ArcCosh(Unary):
    """The inverse of the hyperbolic cosine; its slope has no bound at 1."""

    reference = np.arccosh
    tensors = {"data": Tensor(low=1.25, high=10)}


class ArcTanh(Unary):
    """The inverse of the hyperbolic tangent; its slope has no bound at -1 and 1."""

    reference = np.arctanh
    tensors = {"data": Tensor(low=-0.9, high=0.9)}
