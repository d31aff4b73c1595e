"""PyTorch's rectifiers."""

from opperf.core.implementation import native
from opperf.operators import rectifier

TABLE = {
    rectifier.Relu: native("torch.relu"),
    rectifier.LeakyRelu: native(
        "torch.nn.functional.leaky_relu", rename={"alpha": "negative_slope"}
    ),
    rectifier.PRelu: native("torch.nn.functional.prelu"),
    rectifier.Elu: native("torch.nn.functional.elu"),
    rectifier.Selu: native("torch.nn.functional.selu"),
}
