"""MXNet's losses: Gluon's blocks, which compose NDArray calls."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import built
from opperf.operators import loss

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def block(call: Callable[..., Any], pred: Any, label: Any, **attributes: float) -> Step:
    """Make the block once, as a training script does; not hybridized: eager beside eager."""
    return partial(call(**attributes), pred, label)


TABLE = {
    loss.L1Loss: built("mxnet.gluon.loss.L1Loss", block),
    loss.L2Loss: built("mxnet.gluon.loss.L2Loss", block),
    loss.SigmoidBinaryCrossEntropyLoss: built(
        "mxnet.gluon.loss.SigmoidBinaryCrossEntropyLoss", block
    ),
    loss.SoftmaxCrossEntropyLoss: built("mxnet.gluon.loss.SoftmaxCrossEntropyLoss", block),
    loss.HuberLoss: built("mxnet.gluon.loss.HuberLoss", block),
}
