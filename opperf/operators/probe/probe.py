"""Probes of what a framework itself costs around an operator that a user brings.

The small size shows it best: there the operator within takes next to nothing.
"""

import numpy as np

from opperf.declaring.elementwise import Binary, Unary


class CustomOpElementwiseAdd(Binary):
    """A sum written as the framework's custom operator in Python, backward included.

    Against Add it shows what calling back into Python and the custom operator's bookkeeping cost.
    """

    reference = np.add


class Lambda(Unary):
    """The square wrapped as a layer, neither compiled nor hybridized.

    Against Square it shows what calling a layer costs around the function within.
    """

    reference = np.square
