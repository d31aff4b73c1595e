"""The end of a graph: what is behind it gets no gradient."""

import numpy as np

from opperf.core.tensors.tensor import DTYPES
from opperf.declaring.elementwise import Unary


class StopGradient(Unary):
    """The same values without a way back: MXNet copies them, PyTorch's tensor is a view."""

    reference = np.copy
    dtypes = DTYPES
    differentiable = False
    flops_per_element = 0  # nothing is computed
