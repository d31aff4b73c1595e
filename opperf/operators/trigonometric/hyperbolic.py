"""Hyperbolic functions and their inverses; Tanh is an activation."""

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.elementwise import Unary


class Sinh(Unary):
    """sinh(data)."""

    reference = np.sinh
    tensors = {"data": Tensor(low=-4, high=4)}


class Cosh(Unary):
    """cosh(data)."""

    reference = np.cosh
    tensors = {"data": Tensor(low=-4, high=4)}


class ArcSinh(Unary):
    """arcsinh(data)."""

    reference = np.arcsinh


class ArcCosh(Unary):
    """arccosh(data); its slope is unbounded at 1."""

    reference = np.arccosh
    tensors = {"data": Tensor(low=1.25, high=10)}


class ArcTanh(Unary):
    """arctanh(data); its slope is unbounded at -1 and 1."""

    reference = np.arctanh
    tensors = {"data": Tensor(low=-0.9, high=0.9)}
