"""Logical operators on tensors whose nonzero elements are true."""

import numpy as np

from opperf.declaring.elementwise import HALF_ZERO, Binary, Predicate, Unary


class Connective(Predicate, Binary, abstract=True):
    """A binary logical operator; the four pairs of truth values are equally frequent."""

    tensors = {"lhs": HALF_ZERO, "rhs": HALF_ZERO}


class LogicalAnd(Connective):
    """lhs and rhs."""

    reference = np.logical_and


class LogicalOr(Connective):
    """lhs or rhs."""

    reference = np.logical_or


class LogicalXor(Connective):
    """lhs xor rhs."""

    reference = np.logical_xor


class LogicalNot(Predicate, Unary):
    """not data."""

    tensors = {"data": HALF_ZERO}
    reference = np.logical_not
