"""In-place activation functions, as networks that are short of memory use them."""

import numpy as np

from opperf.core.checking.tolerance import CANCELING_TERMS, ROUNDED_STEPS
from opperf.core.tensors.tensor import Tensor
from opperf.operators.activation.activation import Activation, sigmoid, swish
from opperf.operators.activation.piecewise import hard_swish, relu6
from opperf.operators.activation.rectifier import leaky_relu, relu


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


class IReLU6(InplaceActivation):
    """data = data clipped to [0, 6], in place, as MobileNetV2 has it."""

    reference = relu6


class ILeakyReLU(InplaceActivation):
    """data = data, or alpha * data below zero, in place."""

    attributes = {"alpha": 0.25}
    reference = leaky_relu


class ISwish(InplaceActivation):
    """data = data * sigmoid(data), in place, as EfficientNet has it."""

    reference = swish
    tolerance = ROUNDED_STEPS


class IHardSwish(InplaceActivation):
    """data = data * hard_sigmoid(data), in place, as MobileNetV3 has it."""

    reference = hard_swish
    tolerance = CANCELING_TERMS.because("x + 3 near its zero")
