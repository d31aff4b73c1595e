"""Trigonometric functions, angles and their units."""

from __future__ import annotations

from math import pi

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.elementwise import Binary, Unary


class Sin(Unary):
    """sin(data)."""

    reference = np.sin


class Cos(Unary):
    """cos(data)."""

    reference = np.cos


class Tan(Unary):
    """tan(data), away from its poles."""

    reference = np.tan
    tensors = {"data": Tensor(low=-1.3, high=1.3)}


class ArcSin(Unary):
    """arcsin(data); its slope is unbounded at -1 and 1."""

    reference = np.arcsin
    tensors = {"data": Tensor(low=-0.9, high=0.9)}


class ArcCos(Unary):
    """arccos(data); its slope is unbounded at -1 and 1."""

    reference = np.arccos
    tensors = {"data": Tensor(low=-0.9, high=0.9)}


class ArcTan(Unary):
    """arctan(data)."""

    reference = np.arctan


class ArcTan2(Binary):
    """atan2(lhs, rhs), in the right quadrants, as the slope jumps at the origin."""

    reference = np.arctan2
    tensors = {"lhs": Tensor(), "rhs": Tensor(low=0.5, high=2)}


class Hypot(Binary):
    """sqrt(lhs^2 + rhs^2), away from the origin, where it has a kink."""

    reference = np.hypot
    tensors = {"lhs": Tensor(), "rhs": Tensor(low=0.5, high=2)}
    flops_per_element = 4  # two squares, a sum and a root


class Radians(Unary):
    """data * pi / 180."""

    reference = np.radians
    tensors = {"data": Tensor(low=-360, high=360)}


class Degrees(Unary):
    """data * 180 / pi."""

    reference = np.degrees
    tensors = {"data": Tensor(low=-2 * pi, high=2 * pi)}


class Sinc(Unary):
    """sin(pi x) / (pi x), and 1 at zero; away from it, where the derivative cancels."""

    reference = np.sinc
    tensors = {"data": Tensor(low=0.25, high=3)}
    tolerance = CANCELING_SUMS.because("near its zeros, the sine of a rounded pi x")
    gradient_tolerance = tolerance
    flops_per_element = 3  # a product, a sine and a quotient
