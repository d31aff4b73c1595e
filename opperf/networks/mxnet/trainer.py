"""Training and inference in Gluon, phase by phase, hybridized."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import mxnet
import numpy as np
from mxnet import autograd, gluon

from opperf.networks.measuring.trainer import DECAY, LEARNING_RATE, MOMENTUM, not_finite

if TYPE_CHECKING:
    from opperf.networks.data.loader import Batch
    from opperf.networks.request import ModelRequest

AUTOTUNE = "MXNET_CUDNN_AUTOTUNE_DEFAULT"
"""0 tries nothing, 1 what fits in the workspace, 2 everything."""


class TrainedBlock(gluon.HybridBlock):
    """A network with its loss, as one graph."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def hybrid_forward(self, F: Any, *given: Any) -> Any:  # noqa: ARG002, N803 - Gluon's name
        """Return the loss of each example."""
        *inputs, labels = given
        return self.model.loss(self.model(*inputs), labels)


class GluonTrainer:
    """A hybridized block on its device, and stochastic gradient descent."""

    def __init__(self, model: Any, request: ModelRequest) -> None:
        self.training = not request.forward_only
        self.context = context_of(request.device)
        self.dtype, self.batch = np.dtype(request.dtype), request.batch_size
        inputs, labels = model.example(1, np.random.default_rng(0))
        self.numbers = [array.dtype.kind == "f" for array in (*inputs, labels)]
        model.initialize(mxnet.init.Xavier(), ctx=self.context)
        if self.dtype != np.float32:
            model.cast(request.dtype)
        self.block = TrainedBlock(model) if self.training else model
        self.block.hybridize()
        self.trainer = None
        if self.training:
            options = {"learning_rate": LEARNING_RATE, "momentum": MOMENTUM, "wd": DECAY}
            self.trainer = gluon.Trainer(model.collect_params(), "sgd", options, kvstore=None)

    def place(self, batch: Batch) -> Batch:
        """Return a batch on the device."""
        inputs, labels = batch
        *moved, last = map(self.moved_to_device, (*inputs, labels), self.numbers)
        return tuple(moved), last

    def moved_to_device(self, array: Any, number: bool) -> Any:
        """Return an array on the device; indices and classes stay float32, as Gluon has them."""
        there = array.as_in_context(self.context)
        return there.astype(self.dtype, copy=False) if number else there

    def forward(self, batch: Batch) -> Any:
        """Return the loss of each example, or the output without a graph."""
        inputs, labels = batch
        if not self.training:
            return self.block(*inputs)
        with autograd.record():
            return self.block(*inputs, labels)

    def backward(self, loss: Any) -> None:
        """Find the gradients of the examples' losses; they overwrite the last ones."""
        loss.backward()

    def update(self) -> None:
        """Make a step of the optimizer, by the mean over the examples."""
        self.trainer.step(self.batch)  # type: ignore[union-attr] # a trained network has one

    def value(self, loss: Any) -> float:
        """Return the mean loss."""
        return float(loss.mean().asscalar())

    def fault(self, found: Any) -> str | None:
        """Return how many numbers are not finite."""
        arrays = found if isinstance(found, (tuple, list)) else (found,)
        values = [each.asnumpy() for each in arrays]
        wrong = sum(int((~np.isfinite(each)).sum()) for each in values)
        return not_finite(wrong, sum(each.size for each in values), training=self.training)


def context_of(device: str) -> Any:
    """Return the context of a device's name."""
    kind, _, index = device.partition(":")
    return mxnet.cpu() if kind == "cpu" else mxnet.gpu(int(index or 0))


def make(model: Any, request: ModelRequest) -> GluonTrainer:
    """Return the trainer of a model, cuDNN set as it is asked for."""
    if request.device != "cpu":
        os.environ[AUTOTUNE] = str(request.cudnn_benchmark * (1 + request.cudnn_fastest))
    return GluonTrainer(model, request)
