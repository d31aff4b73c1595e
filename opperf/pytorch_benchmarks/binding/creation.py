"""PyTorch's creation of tensors."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

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
