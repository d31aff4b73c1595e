"""Trigonometric functions, angles and their units."""

from __future__ import annotations

from math import pi

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.elementwise import Binary, Unary


class Sin(Unary):
    """The sine of each element."""

    reference = np.sin


class Cos(Unary):
    """The cosine of each element."""

    reference = np.cos


class Tan(Unary):
    """The tangent of each element, away from its poles."""

    reference = np.tan
    tensors = {"data": Tensor(low=-1.3, high=1.3)}


class ArcSin(Unary):
    """The angle whose sine each element is; its slope has no bound at -1 and 1."""

    reference = np.arcsin
    tensors = {"data": Tensor(low=-0.9, high=0.9)}


class ArcCos(Unary):
    """The angle whose cosine each element is; its slope has no bound at -1 and 1."""

    reference = np.arccos
    tensors = {"data": Tensor(low=-0.9, high=0.9)}


class ArcTan(Unary):
    """The angle whose tangent each element is."""

    reference = np.arctan


class ArcTan2(Binary):
    """The angle of the point (rhs, lhs); both right quadrants, as the slope jumps at the origin."""

    reference = np.arctan2
    tensors = {"lhs": Tensor(), "rhs": Tensor(low=0.5, high=2)}


class Hypot(Binary):
    """The length of the hypotenuse over two legs; away from the origin, where it has a kink."""

    reference = np.hypot
    tensors = {"lhs": Tensor(), "rhs": Tensor(low=0.5, high=2)}
    flops_per_element = 4  # two squares, a sum and a root


class Radians(Unary):
    """Angles in degrees, as radians."""

    reference = np.radians
    tensors = {"data": Tensor(low=-360, high=360)}


class Degrees(Unary):
    """Angles in radians, as degrees."""

    reference = np.degrees
    tensors = {"data": Tensor(low=-2 * pi, high=2 * pi)}


class Sinc(Unary):
    """sin(pi x) / (pi x), and 1 at zero; away from it, where the derivative cancels."""

    reference = np.sinc
    tensors = {"data": Tensor(low=0.25, high=3)}
    tolerance = CANCELING_SUMS.because("near its zeros, the sine of a rounded pi x")
    gradient_tolerance = tolerance
    flops_per_element = 3  # a product, a sine and a quotient
