"""Comparisons of two tensors, element by element."""

import numpy as np

from opperf.operators.elementwise import HALF_ZERO, Binary, Predicate


class Comparing(Predicate, Binary):
    """A comparison; a quarter of the pairs are equal."""

    tensors = {"lhs": HALF_ZERO, "rhs": HALF_ZERO}


class Lesser(Comparing):
    """Whether the left element is less than the right one."""

    reference = staticmethod(np.less)


class LesserEqual(Comparing):
    """Whether the left element is at most the right one."""

    reference = staticmethod(np.less_equal)


class Greater(Comparing):
    """Whether the left element is greater than the right one."""

    reference = staticmethod(np.greater)
    tags = ("core",)


class GreaterEqual(Comparing):
    """Whether the left element is at least the right one."""

    reference = staticmethod(np.greater_equal)


class Equal(Comparing):
    """Whether the elements are equal."""

    reference = staticmethod(np.equal)


class NotEqual(Comparing):
    """Whether the elements differ."""

    reference = staticmethod(np.not_equal)
