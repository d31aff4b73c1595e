"""PyTorch's activations."""

from opperf.core.framework import native
from opperf.operators import activation

TABLE = {
    activation.LeakyRelu: native(
        "torch.nn.functional.leaky_relu", rename={"alpha": "negative_slope"}
    ),
    activation.PRelu: native("torch.nn.functional.prelu"),
    activation.Sigmoid: native("torch.sigmoid"),
    activation.Tanh: native("torch.tanh"),
    activation.Elu: native("torch.nn.functional.elu"),
    activation.Selu: native("torch.nn.functional.selu"),
    activation.Swish: native("torch.nn.functional.silu"),
    activation.Relu: native("torch.relu"),
    activation.Gelu: native("torch.nn.functional.gelu", approximate="none"),
    activation.Softplus: native("torch.nn.functional.softplus"),
    activation.Softsign: native("torch.nn.functional.softsign"),
}
