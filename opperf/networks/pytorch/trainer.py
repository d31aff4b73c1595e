"""Training and inference in PyTorch, phase by phase."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from opperf.networks.measuring.trainer import DECAY, LEARNING_RATE, MOMENTUM, not_finite

if TYPE_CHECKING:
    from opperf.networks.data.loader import Batch
    from opperf.networks.request import ModelRequest

ALGORITHMS = 10
"""How many of cuDNN's algorithms its search tries by default; 0 is all of them."""


class TorchTrainer:
    """A module on its device, and stochastic gradient descent.

    `network` is what is called: the module, or what averages its gradients over several devices.
    """

    def __init__(self, model: Any, request: ModelRequest) -> None:
        self.training = not request.forward_only
        self.device, self.dtype = request.device, getattr(torch, request.dtype)
        self.model = model.to(self.device, self.dtype).train(self.training)
        self.network = self.model
        self.optimizer = None
        if self.training:
            self.optimizer = torch.optim.SGD(
                self.model.parameters(), LEARNING_RATE, MOMENTUM, weight_decay=DECAY
            )

    def place(self, batch: Batch) -> Batch:
        """Return a batch on the device; whole numbers stay what they are."""
        inputs, labels = batch
        return tuple(map(self.moved_to_device, inputs)), self.moved_to_device(labels)

    def moved_to_device(self, tensor: Any) -> Any:
        """Return a tensor on the device."""
        kind = self.dtype if tensor.is_floating_point() else tensor.dtype
        return tensor.to(self.device, kind, non_blocking=True)

    def forward(self, batch: Batch) -> Any:
        """Return the loss, or the output without a graph."""
        inputs, labels = batch
        if self.training:
            return self.model.loss(self.network(*inputs), labels)
        with torch.no_grad():
            return self.network(*inputs)

    def backward(self, loss: Any) -> None:
        """Drop the last gradients, and find those of this loss."""
        self.model.zero_grad(set_to_none=True)
        loss.backward()

    def update(self) -> None:
        """Make a step of the optimizer."""
        self.optimizer.step()  # type: ignore[union-attr] # a trained network has one

    def value(self, loss: Any) -> float:
        """Return the loss."""
        return float(loss.detach())

    def fault(self, found: Any) -> str | None:
        """Return how many numbers are not finite."""
        tensors = found if isinstance(found, (tuple, list)) else (found,)
        wrong = sum(int((~torch.isfinite(each.detach())).sum()) for each in tensors)
        total = sum(each.numel() for each in tensors)
        return not_finite(wrong, total, training=self.training)


def make(model: Any, request: ModelRequest) -> TorchTrainer:
    """Return the trainer of a model, cuDNN set as it is asked for."""
    if request.device != "cpu":
        torch.backends.cudnn.benchmark = request.cudnn_benchmark
        torch.backends.cudnn.benchmark_limit = 0 if request.cudnn_fastest else ALGORITHMS
    return TorchTrainer(model, request)
