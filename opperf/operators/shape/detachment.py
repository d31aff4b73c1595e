"""Detaching from the graph."""

import numpy as np

from opperf.core.tensors.tensor import DTYPES
from opperf.declaring.elementwise import Unary


class StopGradient(Unary):
    """data without a gradient: a view or a copy, as the framework has it."""

    reference = np.copy
    dtypes = DTYPES
    differentiable = False
    flops_per_element = 0  # nothing is computed
