"""What a framework does with a network, phase by phase."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from opperf.networks.data.loader import Batch
    from opperf.networks.request import ModelRequest

LEARNING_RATE, MOMENTUM, DECAY = 0.01, 0.9, 1e-4
"""Of the gradient descent that a network is trained by."""


class Trainer(Protocol):
    """A network on its device, and what trains it.

    A device may still be at it when a phase returns. What several devices do belongs to these
    phases: a gradient is averaged over them in `backward`, before `update`.
    """

    def place(self, batch: Batch) -> Batch:
        """Return a batch on the device, in the element type of the network."""
        ...

    def forward(self, batch: Batch) -> Any:
        """Return the loss of a batch in training, else the output."""
        ...

    def backward(self, loss: Any) -> None:
        """Differentiate a loss by the parameters, whose earlier gradients are dropped."""
        ...

    def update(self) -> None:
        """Change the parameters by their gradients."""
        ...

    def value(self, loss: Any) -> float:
        """Return the loss as a number, once it is known."""
        ...

    def fault(self, found: Any) -> str | None:
        """Return how many numbers of what `forward` returned are not finite, None where all are."""
        ...


def make_trainer(model: Any, request: ModelRequest) -> Trainer:
    """Return the trainer of a model's framework."""
    room = __name__.split(".measuring", maxsplit=1)[0]
    trainer: Trainer = import_module(f"{room}.{request.entry.framework}.trainer").make(
        model, request
    )
    return trainer


def not_finite(count: int, total: int, *, training: bool) -> str | None:
    """Return what is said of numbers that are not finite, None where there are none."""
    if not count:
        return None
    if training:
        return "the loss is not finite"
    return f"{count} of {total} outputs are not finite"
