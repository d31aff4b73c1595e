"""PyTorch's smooth activations."""

from opperf.core.frameworks.implementation import native
from opperf.operators.activation import activation

TABLE = {
    activation.Sigmoid: native("torch.sigmoid"),
    activation.Tanh: native("torch.tanh"),
    activation.Swish: native("torch.nn.functional.silu"),
    activation.Gelu: native("torch.nn.functional.gelu", approximate="none"),
    activation.Softplus: native("torch.nn.functional.softplus"),
    activation.Softsign: native("torch.nn.functional.softsign"),
    activation.LogSigmoid: native("torch.nn.functional.logsigmoid"),
    activation.Mish: native("torch.nn.functional.mish"),
    activation.TanhShrink: native("torch.nn.functional.tanhshrink"),
    activation.GLU: native("torch.nn.functional.glu"),
}
