"""PyTorch's callables for the operators of activation, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import native
from opperf.core.frameworks.limitation import BACKWARD, Limitation
from opperf.operators.activation import activation, inplace_activation, piecewise, rectifier

TABLE = {
    activation.Sigmoid: native("torch.sigmoid"),
    activation.Tanh: native("torch.tanh"),
    activation.Swish: native("torch.nn.functional.silu"),
    activation.GELU: native("torch.nn.functional.gelu", approximate="none"),
    activation.Softplus: native("torch.nn.functional.softplus"),
    activation.Softsign: native("torch.nn.functional.softsign"),
    activation.LogSigmoid: native("torch.nn.functional.logsigmoid"),
    activation.Mish: native("torch.nn.functional.mish"),
    activation.TanhShrink: native("torch.nn.functional.tanhshrink"),
    activation.GLU: native("torch.nn.functional.glu"),
    inplace_activation.IReLU: native("torch.relu_"),
    inplace_activation.ISigmoid: native("torch.sigmoid_"),
    inplace_activation.ITanh: native("torch.tanh_"),
    inplace_activation.IReLU6: native("torch.nn.functional.relu6", inplace=True),
    inplace_activation.ILeakyReLU: native(
        "torch.nn.functional.leaky_relu", rename={"alpha": "negative_slope"}, inplace=True
    ),
    inplace_activation.ISwish: native("torch.nn.functional.silu", inplace=True),
    inplace_activation.IHardSwish: native("torch.nn.functional.hardswish", inplace=True),
    piecewise.HardSigmoid: native("torch.nn.functional.hardsigmoid").limited(
        Limitation(
            dtypes=("float64",),
            directions=BACKWARD,
            words="gradient by data is",
            note="its slope in float64 is the sixth that float32 holds",
        ),
    ),
    piecewise.HardSwish: native("torch.nn.functional.hardswish"),
    piecewise.ReLU6: native("torch.nn.functional.relu6"),
    piecewise.CELU: native("torch.celu"),
    piecewise.HardShrink: native("torch.nn.functional.hardshrink", rename={"limit": "lambd"}),
    piecewise.SoftShrink: native("torch.nn.functional.softshrink", rename={"limit": "lambd"}),
    rectifier.ReLU: native("torch.relu"),
    rectifier.LeakyReLU: native(
        "torch.nn.functional.leaky_relu", rename={"alpha": "negative_slope"}
    ),
    rectifier.PReLU: native("torch.nn.functional.prelu"),
    rectifier.ELU: native("torch.nn.functional.elu"),
    rectifier.SELU: native("torch.nn.functional.selu"),
}
