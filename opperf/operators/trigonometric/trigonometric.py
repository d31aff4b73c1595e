"""Trigonometric functions, angles and their units."""

from __future__ import annotations

from math import pi

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.elementwise import Binary, Unary


class Sin(Unary):
    """The sine of each element."""

    reference = staticmethod(np.sin)


class Cos(Unary):
    """The cosine of each element."""

    reference = staticmethod(np.cos)


class Tan(Unary):
    """The tangent of each element, away from its poles."""

    reference = staticmethod(np.tan)
    tensors = {"data": Tensor(low=-1.3, high=1.3)}


class ArcSin(Unary):
    """The angle whose sine each element is; its slope has no bound at -1 and 1."""

    reference = staticmethod(np.arcsin)
    tensors = {"data": Tensor(low=-0.9, high=0.9)}


class ArcCos(Unary):
    """The angle whose cosine each element is; its slope has no bound at -1 and 1."""

    reference = staticmethod(np.arccos)
    tensors = {"data": Tensor(low=-0.9, high=0.9)}


class ArcTan(Unary):
    """The angle whose tangent each element is."""

    reference = staticmethod(np.arctan)


class ArcTan2(Binary):
    """The angle of the point (rhs, lhs); both right quadrants, as the slope jumps at the origin."""

    reference = staticmethod(np.arctan2)
    tensors = {"lhs": Tensor(), "rhs": Tensor(low=0.5, high=2)}


class Hypot(Binary):
    """The length of the hypotenuse over two legs; away from the origin, where it has a kink."""

    reference = staticmethod(np.hypot)
    tensors = {"lhs": Tensor(), "rhs": Tensor(low=0.5, high=2)}

    def flop_count(self) -> int:
        """Return two squares, a sum and a root an element."""
        return 4 * super().flop_count()


class Radians(Unary):
    """Angles in degrees, as radians."""

    reference = staticmethod(np.radians)
    tensors = {"data": Tensor(low=-360, high=360)}


class Degrees(Unary):
    """Angles in radians, as degrees."""

    reference = staticmethod(np.degrees)
    tensors = {"data": Tensor(low=-2 * pi, high=2 * pi)}


class Sinc(Unary):
    """sin(pi x) / (pi x), and 1 at zero; away from it, where the derivative cancels."""

    reference = staticmethod(np.sinc)
    tensors = {"data": Tensor(low=0.25, high=3)}
    tolerance = CANCELING_SUMS.because("near its zeros, the sine of a rounded pi x")
    gradient_tolerance = tolerance

    def flop_count(self) -> int:
        """Return a product, a sine and a quotient an element."""
        return 3 * super().flop_count()
