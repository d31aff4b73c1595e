"""PyTorch's creation of tensors."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import built, native
from opperf.operators import creation

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def create(call: Callable[..., Any], *, dtype: str, device: str, **attributes: Any) -> Step:
    """Bind the attributes, which torch takes in the same order, with torch's own dtype."""
    import torch

    return partial(call, *attributes.values(), dtype=getattr(torch, dtype), device=device)


TABLE = {
    creation.Zeros: built("torch.zeros", create),
    creation.Ones: built("torch.ones", create),
    creation.ZerosLike: native("torch.zeros_like"),
    creation.OnesLike: native("torch.ones_like"),
    creation.Full: built("torch.full", create),
    creation.Arange: built("torch.arange", create),
}
