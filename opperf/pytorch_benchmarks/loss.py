"""PyTorch's losses; its own averages cross samples, so a mean a sample is a second call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.implementation import built, native
from opperf.operators import loss

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def averaged(
    value: Callable[..., Any], mean: Callable[..., Any], pred: Any, label: Any, **attributes: float
) -> Step:
    """Compose the loss of each element and the mean of each sample."""
    axes = tuple(range(1, pred.ndim))

    def composition() -> Any:
        return mean(value(pred, label, reduction="none", **attributes), axes)

    return composition


def half_square(
    value: Callable[..., Any], mean: Callable[..., Any], scale: Callable[..., Any],
    pred: Any, label: Any,
) -> Step:  # fmt: skip
    """Compose likewise, and halve the means: torch's squared error has no factor."""
    square = averaged(value, mean, pred, label)

    def composition() -> Any:
        return scale(square(), 0.5)

    return composition


def huber(
    value: Callable[..., Any], mean: Callable[..., Any], pred: Any, label: Any, *, rho: float
) -> Step:
    """Compose likewise; torch calls rho beta."""
    return averaged(value, mean, pred, label, beta=rho)


TABLE = {
    loss.L1Loss: built("torch.nn.functional.l1_loss + torch.mean", averaged),
    loss.L2Loss: built("torch.nn.functional.mse_loss + torch.mean + torch.mul", half_square),
    loss.SigmoidBinaryCrossEntropyLoss: built(
        "torch.nn.functional.binary_cross_entropy_with_logits + torch.mean", averaged
    ),
    loss.SoftmaxCrossEntropyLoss: native("torch.nn.functional.cross_entropy", reduction="none"),
    loss.HuberLoss: built("torch.nn.functional.smooth_l1_loss + torch.mean", huber),
}
