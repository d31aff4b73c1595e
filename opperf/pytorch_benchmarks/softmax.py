"""PyTorch's softmax family."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.softmax import layouts as softmax_layouts
from opperf.operators.softmax import softmax

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step

DIM = {"axis": "dim"}


def tempered(
    divide: Callable[..., Any],
    call: Callable[..., Any],
    data: Any,
    *,
    axis: int,
    temperature: float,
) -> Step:
    """Compose: torch's softmax knows no temperature."""

    def composition() -> Any:
        return call(divide(data, temperature), axis)

    return composition


def masked(
    replace: Callable[..., Any], call: Callable[..., Any], data: Any, mask: Any, *, axis: int
) -> Step:
    """Compose, with the mask as bool."""
    truth = mask.bool()

    def composition() -> Any:
        return call(replace(data, truth, softmax.MASKED), axis)

    return composition


TABLE = {
    softmax.Softmax: native("torch.softmax", rename=DIM),
    softmax.LogSoftmax: native("torch.log_softmax", rename=DIM),
    softmax.Softmin: native("torch.nn.functional.softmin", rename=DIM),
    softmax.SoftmaxTemperature: built("torch.div + torch.softmax", tempered),
    softmax.MaskedSoftmax: built("torch.masked_fill + torch.softmax", masked),
    softmax.SoftmaxActivation: native("torch.softmax", dim=1),
    softmax_layouts.SoftmaxChannels: native("torch.softmax", rename=DIM),
}
