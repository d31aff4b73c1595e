"""MXNet's smooth activations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators import activation

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def swish(sigmoid: Callable[..., Any], multiply: Callable[..., Any], data: Any) -> Step:
    """Compose the two calls: MXNet has no single one, and gluon.nn.Swish makes the same."""

    def composition() -> Any:
        return multiply(data, sigmoid(data))

    return composition


TABLE = {
    activation.Sigmoid: native("mxnet.nd.sigmoid"),
    activation.Tanh: native("mxnet.nd.tanh"),
    activation.Swish: built("mxnet.nd.sigmoid + mxnet.nd.multiply", swish),
    activation.Gelu: native("mxnet.nd.LeakyReLU", act_type="gelu"),
    activation.Softplus: native("mxnet.nd.Activation", act_type="softrelu"),
    activation.Softsign: native("mxnet.nd.softsign"),
}
