"""MXNet's losses: Gluon's blocks, which compose NDArray calls."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.loss import classes as loss_classes
from opperf.operators.loss import loss
from opperf.operators.loss import pairs as loss_pairs
from opperf.operators.loss import vectors as loss_vectors

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def block(call: Callable[..., Any], pred: Any, label: Any, **attributes: float) -> Step:
    """Make the block once, as a training script does; not hybridized: eager beside eager."""
    return partial(call(**attributes), pred, label)


def block_of(call: Callable[..., Any], *tensors: Any, **options: object) -> Step:
    """Make the block of several tensors once."""
    return partial(call(**options), *tensors)


def nll(pick: Callable[..., Any], negative: Callable[..., Any], pred: Any, label: Any) -> Step:
    """Pick -> negative."""
    return lambda: negative(pick(pred, label))


TABLE = {
    loss.L1Loss: built("mxnet.gluon.loss.L1Loss", block),
    loss.L2Loss: built("mxnet.gluon.loss.L2Loss", block),
    loss.SigmoidBinaryCrossEntropyLoss: built(
        "mxnet.gluon.loss.SigmoidBinaryCrossEntropyLoss", block
    ),
    loss_classes.SoftmaxCrossEntropyLoss: built("mxnet.gluon.loss.SoftmaxCrossEntropyLoss", block),
    loss_classes.NLLLoss: built("mxnet.nd.pick + mxnet.nd.negative", nll),
    loss_classes.MultiLabelSoftMarginLoss: built(
        "mxnet.gluon.loss.SigmoidBinaryCrossEntropyLoss", block
    ),
    loss.HuberLoss: built("mxnet.gluon.loss.HuberLoss", block),
    loss_pairs.SmoothL1: native("mxnet.nd.smooth_l1"),
    loss_pairs.HingeLoss: built("mxnet.gluon.loss.HingeLoss", block),
    loss_pairs.SquaredHingeLoss: built("mxnet.gluon.loss.SquaredHingeLoss", block),
    loss_pairs.LogisticLoss: built("mxnet.gluon.loss.LogisticLoss", block),
    loss_pairs.BinaryCrossEntropyLoss: built(
        "mxnet.gluon.loss.SigmoidBinaryCrossEntropyLoss", partial(block_of, from_sigmoid=True)
    ),
    loss_pairs.KLDivLoss: built("mxnet.gluon.loss.KLDivLoss", block),
    loss_pairs.PoissonNLLLoss: built("mxnet.gluon.loss.PoissonNLLLoss", block),
    loss_pairs.MakeLoss: native("mxnet.nd.MakeLoss"),
    loss_vectors.TripletLoss: built("mxnet.gluon.loss.TripletLoss", block_of),
    loss_vectors.CosineEmbeddingLoss: built("mxnet.gluon.loss.CosineEmbeddingLoss", block_of),
}
