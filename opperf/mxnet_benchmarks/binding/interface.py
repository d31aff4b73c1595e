"""MXNet's NumPy interface, on arrays that share the memory of an operator's tensors."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import BoundCall, Implementation, built

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def arrays_of(tensors: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
    """Return the arrays of the NumPy interface, and those of them that have a gradient."""
    arrays = [tensor.as_np_ndarray() for tensor in tensors]
    leaves = []
    for tensor, array in zip(tensors, arrays, strict=True):
        if tensor.grad is not None:
            array.attach_grad()
            leaves.append(array)
    return arrays, leaves


def bind(
    call: Callable[..., Any], *tensors: Any, rename: Mapping[str, str], **attributes: Any
) -> BoundCall:
    """Bind the arrays in order, and the attributes under MXNet's names."""
    arrays, leaves = arrays_of(tensors)
    renamed = {rename.get(name, name): value for name, value in attributes.items()}
    return BoundCall(partial(call, *arrays, **renamed), leaves)


def bind_sequence(call: Callable[..., Any], *tensors: Any, **attributes: Any) -> BoundCall:
    """Bind the arrays as one sequence."""
    arrays, leaves = arrays_of(tensors)
    return BoundCall(partial(call, arrays, **attributes), leaves)


def numpy_interface(
    name: str, *, rename: Mapping[str, str] | None = None, **fixed: Any
) -> Implementation:
    """Return the implementation by a callable of mxnet.np."""
    return built(name, partial(bind, rename=rename or {}, **fixed))


def numpy_sequence(name: str) -> Implementation:
    """Return the implementation by a callable of mxnet.np that takes one sequence of tensors."""
    return built(name, bind_sequence)
