"""PyTorch's creation of tensors."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.creation import creation, filling, ranges

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def create(call: Callable[..., Any], *, dtype: str, device: str, **attributes: Any) -> Step:
    """Bind the attributes, which torch takes in the same order, with torch's own dtype."""
    import torch

    return partial(call, *attributes.values(), dtype=getattr(torch, dtype), device=device)


def window(call: Callable[..., Any], *, length: int, dtype: str, device: str) -> Step:
    """Bind the symmetric window; torch's own is one period, for a spectrum."""
    return create(call, length=length, periodic=False, dtype=dtype, device=device)


def all_of(call: Callable[..., Any], *tensors: Any) -> Step:
    """Bind the tensors as one list."""
    return partial(call, list(tensors))


TABLE = {
    creation.Zeros: built("torch.zeros", create),
    creation.Ones: built("torch.ones", create),
    creation.ZerosLike: native("torch.zeros_like"),
    creation.OnesLike: native("torch.ones_like"),
    creation.Full: built("torch.full", create),
    creation.Arange: built("torch.arange", create),
    ranges.LinSpace: built("torch.linspace", create),
    ranges.LogSpace: built("torch.logspace", create),
    ranges.Eye: built("torch.eye", create),
    ranges.Blackman: built("torch.blackman_window", window),
    ranges.Hamming: built("torch.hamming_window", window),
    ranges.Hanning: built("torch.hann_window", window),
    ranges.TrilIndices: built("torch.tril_indices", create),
    ranges.TriuIndices: built("torch.triu_indices", create),
    filling.FullLike: native("torch.full_like", rename={"value": "fill_value"}),
    filling.Fill: native("torch.Tensor.fill_"),
    filling.Zero: native("torch.Tensor.zero_"),
    filling.MultiZero: built("torch._foreach_zero_", all_of),
}
