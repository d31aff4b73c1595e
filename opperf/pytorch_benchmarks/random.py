"""PyTorch's random sampling."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.framework import built
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


TABLE = {
    random.NormalRandom: built("torch.normal", normal),
}
