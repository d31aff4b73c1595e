"""PyTorch's losses; its own reductions average over samples too, so the mean is a second call."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, built, native

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def sample_mean(
    value: Callable[..., Any], mean: Callable[..., Any], pred: Any, label: Any, **attributes: float
) -> Step:
    """Element-wise loss -> mean per sample."""
    axes = tuple(range(1, pred.ndim))

    def composition() -> Any:
        return mean(value(pred, label, reduction="none", **attributes), axes)

    return composition


def half_square(
    value: Callable[..., Any], mean: Callable[..., Any], scale: Callable[..., Any],
    pred: Any, label: Any,
) -> Step:  # fmt: skip
    """mse_loss -> mean per sample -> / 2: PyTorch's squared error has no factor."""
    square = sample_mean(value, mean, pred, label)

    def composition() -> Any:
        return scale(square(), 0.5)

    return composition


def huber(
    value: Callable[..., Any], mean: Callable[..., Any], pred: Any, label: Any, *, rho: float
) -> Step:
    """smooth_l1_loss -> mean per sample; PyTorch calls rho `beta`."""
    return sample_mean(value, mean, pred, label, beta=rho)


def smooth_l1(
    call: Callable[..., Any], zeros: Callable[..., Any], data: Any, *, scalar: float
) -> Step:
    """smooth_l1_loss of data and zeros, made beforehand."""
    return partial(call, data, zeros(data), reduction="none", beta=scalar**-2)


def hinge(relu: Callable[..., Any], mean: Callable[..., Any], pred: Any, label: Any) -> Step:
    """max(0, 1 - label * pred) -> mean per sample."""

    def composition() -> Any:
        return mean(relu(1 - pred * label), 1)

    return composition


def squared_hinge(
    relu: Callable[..., Any], square: Callable[..., Any], mean: Callable[..., Any],
    pred: Any, label: Any,
) -> Step:  # fmt: skip
    """max(0, 1 - label * pred)^2 -> mean per sample."""

    def composition() -> Any:
        return mean(square(relu(1 - pred * label)), 1)

    return composition


def whole(value: Callable[..., Any], view: Callable[..., Any], pred: Any, label: Any) -> Step:
    """Loss averaged over everything -> view of one element."""

    def composition() -> Any:
        return view(value(pred, label), 1)

    return composition


def gaussian_nll(
    value: Callable[..., Any], mean: Callable[..., Any], pred: Any, label: Any, variance: Any
) -> Step:
    """gaussian_nll_loss -> mean per sample."""

    def composition() -> Any:
        return mean(value(pred, label, variance, reduction="none"), 1)

    return composition


def triplet(
    square: Callable[..., Any], add_up: Callable[..., Any], relu: Callable[..., Any],
    anchor: Any, positive: Any, negative: Any,
) -> Step:  # fmt: skip
    """max(0, ||anchor - positive||^2 - ||anchor - negative||^2 + 1); PyTorch's does not square."""

    def composition() -> Any:
        return relu(add_up(square(anchor - positive) - square(anchor - negative), 1) + 1)

    return composition


def cosine_embedding(value: Callable[..., Any], view: Callable[..., Any], *tensors: Any) -> Step:
    """cosine_embedding_loss -> view as a column."""

    def composition() -> Any:
        return view(value(*tensors, reduction="none"), 1)

    return composition


def averaging(name: str) -> Implementation:
    """Return PyTorch's element-wise loss with the mean per sample."""
    return built(f"torch.nn.functional.{name} + torch.mean", sample_mean)


def each(name: str) -> Implementation:
    """Return PyTorch's loss per sample."""
    return native(f"torch.nn.functional.{name}", reduction="none")


def ctc_loss(
    value: Callable[..., Any], log_softmax: Callable[..., Any], data: Any, label: Any
) -> Step:
    """log_softmax -> ctc_loss, of full sequences."""
    steps, batch, _ = data.shape
    lengths = (steps,) * batch, tuple(label.shape[1:]) * batch

    def composition() -> Any:
        return value(log_softmax(data, -1), label, *lengths, reduction="none")

    return composition
