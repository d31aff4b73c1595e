"""PyTorch's creation of tensors."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def create(call: Callable[..., Any], *, dtype: str, device: str, **attributes: Any) -> Step:
    """A new tensor from the attributes, which PyTorch takes in the same order."""
    import torch

    return partial(call, *attributes.values(), dtype=getattr(torch, dtype), device=device)


def window(call: Callable[..., Any], *, length: int, dtype: str, device: str) -> Step:
    """The symmetric window; PyTorch's default is periodic."""
    return create(call, length=length, periodic=False, dtype=dtype, device=device)


def all_of(call: Callable[..., Any], *tensors: Any) -> Step:
    """The call with all tensors as one list."""
    return partial(call, list(tensors))
