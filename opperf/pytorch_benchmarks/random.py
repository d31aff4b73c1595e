"""PyTorch's random operators."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import built
from opperf.operators import random

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def normal(
    call: Callable[..., Any], *, loc: float, scale: float, shape: Any, dtype: str, device: str
) -> Step:
    """Bind, with the dtype as torch's own object."""
    import torch

    return partial(call, loc, scale, shape, dtype=getattr(torch, dtype), device=device)


def uniform(  # noqa: PLR0913 - two calls, then the operator's inputs
    empty: Callable[..., Any], fill: Callable[..., Any],
    *, low: float, high: float, shape: Any, dtype: str, device: str,
) -> Step:  # fmt: skip
    """Compose the two calls: torch.rand knows the range from 0 to 1 only."""
    import torch

    options = {"dtype": getattr(torch, dtype), "device": device}

    def composition() -> Any:
        return fill(empty(shape, **options), low, high)

    return composition


def shuffle(order: Callable[..., Any], select: Callable[..., Any], data: Any) -> Step:
    """Compose the two calls, as torch has no single one."""
    rows, device = len(data), data.device

    def composition() -> Any:
        return select(data, 0, order(rows, device=device))

    return composition


TABLE = {
    random.NormalRandom: built("torch.normal", normal),
    random.UniformRandom: built("torch.empty + torch.Tensor.uniform_", uniform),
    random.Shuffle: built("torch.randperm + torch.index_select", shuffle),
}
