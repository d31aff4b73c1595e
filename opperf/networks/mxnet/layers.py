"""What several networks are put together with."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from mxnet import symbol
from mxnet.gluon import HybridBlock, nn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


def sequence(*layers: Any) -> nn.HybridSequential:
    """Return the layers one after the other; without any, what returns its input."""
    found = nn.HybridSequential()
    found.add(*layers)
    return found


def rectified(layers: Sequence[Any]) -> Iterator[Any]:
    """Yield the layers with rectifiers between them."""
    for position, layer in enumerate(layers):
        if position:
            yield nn.Activation("relu")
        yield layer


def convolution(
    inputs: int, outputs: int, kernel: int, stride: int = 1, padding: int = 0
) -> list[Any]:
    """Return a convolution with a bias, and max(x, 0)."""
    return [
        nn.Conv2D(outputs, kernel, stride, padding, in_channels=inputs),
        nn.Activation("relu"),
    ]


def perceptron(inputs: int, hidden: Iterable[int], classes: int, dropout: float = 0.0) -> list[Any]:
    """Return linear layers, all but the last with max(x, 0) and dropout after them."""
    layers: list[Any] = []
    for outputs in hidden:
        layers += [nn.Dense(outputs, in_units=inputs), nn.Activation("relu")]
        if dropout:
            layers.append(nn.Dropout(dropout))
        inputs = outputs
    return [*layers, nn.Dense(classes, in_units=inputs)]


def features(layers: Iterable[Any], *shape: int) -> int:
    """Return how many numbers the layers make of an input of this shape; nothing is computed."""
    output = sequence(*layers)(symbol.var("data"))
    _, (found,), _ = output.infer_shape(data=(1, *shape))
    return prod(found)


class ClippedReLU(HybridBlock):
    """min(max(x, 0), most)."""

    def __init__(self, most: float) -> None:
        super().__init__()
        self.most = most

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: N803 - Gluon's name
        """Return the elements within the limits."""
        return F.clip(data, 0, self.most)


class ResponseNorm(HybridBlock):
    """x / (2 + 1e-4 * sum of squares of five channels) ** 0.75, as AlexNet's paper has it."""

    neighbors, alpha, beta, bias = 5, 1e-4, 0.75, 2.0

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: N803 - Gluon's name
        """Return the elements divided by what their neighbors give."""
        # MXNet divides alpha by the number of neighbors; the paper does not.
        return F.LRN(
            data,
            nsize=self.neighbors,
            alpha=self.neighbors * self.alpha,
            beta=self.beta,
            knorm=self.bias,
        )


class Parallel(HybridBlock):
    """Branches of one input, their outputs joined by channels."""

    def __init__(self, *branches: Any) -> None:
        super().__init__()
        self.branches = sequence(*branches)

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: N803 - Gluon's name
        """Return the outputs of all branches."""
        return F.concat(*(branch(data) for branch in self.branches), dim=1)
