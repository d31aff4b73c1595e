"""PyTorch's rectifiers."""

from opperf.core.frameworks.implementation import native
from opperf.operators.activation import piecewise, rectifier

TABLE = {
    rectifier.Relu: native("torch.relu"),
    rectifier.LeakyRelu: native(
        "torch.nn.functional.leaky_relu", rename={"alpha": "negative_slope"}
    ),
    rectifier.PRelu: native("torch.nn.functional.prelu"),
    rectifier.Elu: native("torch.nn.functional.elu"),
    rectifier.Selu: native("torch.nn.functional.selu"),
    piecewise.HardSigmoid: native("torch.nn.functional.hardsigmoid"),
    piecewise.HardSwish: native("torch.nn.functional.hardswish"),
    piecewise.Relu6: native("torch.nn.functional.relu6"),
    piecewise.Celu: native("torch.celu"),
    piecewise.HardShrink: native("torch.nn.functional.hardshrink", rename={"limit": "lambd"}),
    piecewise.SoftShrink: native("torch.nn.functional.softshrink", rename={"limit": "lambd"}),
}
