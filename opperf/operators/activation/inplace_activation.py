"""In-place activation functions, as networks that are short of memory use them."""

import numpy as np

from opperf.core.checking.tolerance import ROUNDED_STEPS
from opperf.core.tensors.tensor import Tensor
from opperf.operators.activation.activation import Activation, sigmoid
from opperf.operators.activation.rectifier import relu


class InplaceActivation(Activation, abstract=True):
    """An activation function that overwrites its input."""

    tensors = {"data": Tensor(mutated=True)}
    differentiable = False


class IReLU(InplaceActivation):
    """data = max(data, 0), in place."""

    reference = relu


class ISigmoid(InplaceActivation):
    """data = sigmoid(data), in place."""

    reference = sigmoid
    tolerance = ROUNDED_STEPS


class ITanh(InplaceActivation):
    """data = tanh(data), in place."""

    reference = np.tanh
