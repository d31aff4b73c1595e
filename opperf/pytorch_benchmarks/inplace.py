"""PyTorch's operators that store their results in their inputs."""

from opperf.core.frameworks.implementation import native
from opperf.operators.activation import inplace_activation
from opperf.operators.arithmetic import inplace

OTHER = {"scalar": "other"}
TABLE = {
    inplace.INegative: native("torch.Tensor.neg_"),
    inplace.IAbs: native("torch.Tensor.abs_"),
    inplace.ISqrt: native("torch.Tensor.sqrt_"),
    inplace.IAddScalar: native("torch.Tensor.add_", rename=OTHER),
    inplace.IMultiplyScalar: native("torch.Tensor.mul_", rename=OTHER),
    inplace_activation.IRelu: native("torch.relu_"),
    inplace_activation.ISigmoid: native("torch.sigmoid_"),
    inplace_activation.ITanh: native("torch.tanh_"),
}
