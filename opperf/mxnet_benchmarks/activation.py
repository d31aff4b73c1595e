"""MXNet's activations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.framework import built, native
from opperf.operators import activation

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def swish(sigmoid: Callable[..., Any], multiply: Callable[..., Any], data: Any) -> Step:
    """Compose the two calls: MXNet has no single one, and gluon.nn.Swish makes the same."""

    def composition() -> Any:
        return multiply(data, sigmoid(data))

    return composition


TABLE = {
    activation.LeakyRelu: native("mxnet.nd.LeakyReLU", rename={"alpha": "slope"}, act_type="leaky"),
    activation.PRelu: native("mxnet.nd.LeakyReLU", act_type="prelu"),
    activation.Sigmoid: native("mxnet.nd.sigmoid"),
    activation.Tanh: native("mxnet.nd.tanh"),
    activation.Elu: native("mxnet.nd.LeakyReLU", rename={"alpha": "slope"}, act_type="elu"),
    activation.Selu: native("mxnet.nd.LeakyReLU", act_type="selu"),
    activation.Swish: built("mxnet.nd.sigmoid + mxnet.nd.multiply", swish),
    activation.Relu: native("mxnet.nd.relu"),
    activation.Gelu: native("mxnet.nd.LeakyReLU", act_type="gelu"),
    activation.Softplus: native("mxnet.nd.Activation", act_type="softrelu"),
    activation.Softsign: native("mxnet.nd.softsign"),
}
