"""Logic on tensors whose elements count as true unless they are zero."""

import numpy as np

from opperf.declaring.elementwise import HALF_ZERO, Binary, Predicate, Unary


class Connective(Predicate, Binary, abstract=True):
    """A connective of two tensors; each pair of truth values is met in a quarter of the pairs."""

    tensors = {"lhs": HALF_ZERO, "rhs": HALF_ZERO}


class LogicalAnd(Connective):
    """Whether both elements are true."""

    reference = np.logical_and


class LogicalOr(Connective):
    """Whether one of the elements is true, or both."""

    reference = np.logical_or


class LogicalXor(Connective):
    """Whether exactly one of the elements is true."""

    reference = np.logical_xor


class LogicalNot(Predicate, Unary):
    """Whether the element is false."""

    tensors = {"data": HALF_ZERO}
    reference = np.logical_not
