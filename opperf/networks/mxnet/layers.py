"""What several networks are put together with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mxnet.gluon import nn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


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
