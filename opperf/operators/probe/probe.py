"""Probes of a framework's overhead around a user's own operator.

The small size shows it best: there the operator within takes next to nothing.
"""

import numpy as np

from opperf.declaring.elementwise import Binary, Unary


class CustomOpElementwiseAdd(Binary):
    """lhs + rhs, written as a custom operator in Python, backward included.

    Against Add it shows the cost of calling back into Python and of the custom operator's
    bookkeeping.
    """

    reference = np.add


class Lambda(Unary):
    """data^2, wrapped as a layer that is neither compiled nor hybridized.

    Against Square it shows the cost of calling a layer.
    """

    reference = np.square
