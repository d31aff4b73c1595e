"""MXNet's NumPy interface on the tensors of its older one, which share their values."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import Bound

if TYPE_CHECKING:
    from collections.abc import Callable


def on_arrays(call: Callable[..., Any], *tensors: Any, **attributes: Any) -> Bound:
    """Bind to the tensors as arrays of the NumPy interface, which carry gradients of their own."""
    arrays = [tensor.as_np_ndarray() for tensor in tensors]
    leaves = []
    for tensor, array in zip(tensors, arrays, strict=True):
        if tensor.grad is not None:
            array.attach_grad()
            leaves.append(array)
    return Bound(partial(call, *arrays, **attributes), leaves)
