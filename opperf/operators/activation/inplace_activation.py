"""Activations stored where their input was, as networks that are short of memory have them."""

import numpy as np

from opperf.core.checking.tolerance import ROUNDED_STEPS
from opperf.core.tensors.tensor import Tensor
from opperf.operators.activation.activation import Activation, sigmoid
from opperf.operators.activation.rectifier import relu


class InplaceActivation(Activation, abstract=True):
    """An activation stored in its input."""

    tensors = {"data": Tensor(mutated=True)}
    differentiable = False


class IRelu(InplaceActivation):
    """The rectified linear unit, stored in its input."""

    reference = relu


class ISigmoid(InplaceActivation):
    """The logistic function, stored in its input."""

    reference = sigmoid
    tolerance = ROUNDED_STEPS


class ITanh(InplaceActivation):
    """The hyperbolic tangent, stored in its input."""

    reference = np.tanh
