"""The end of a graph: what is behind it gets no gradient."""

import numpy as np

from opperf.core.tensors.tensor import DTYPES
from opperf.declaring.elementwise import Unary


class StopGradient(Unary):
    """The same values without a way back: MXNet copies them, PyTorch's tensor is a view."""

    reference = staticmethod(np.copy)
    dtypes = DTYPES
    differentiable = False

    def flop_count(self) -> int:
        """Return none: nothing is computed."""
        return 0
