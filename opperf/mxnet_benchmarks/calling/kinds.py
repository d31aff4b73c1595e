"""What the arrays of MXNet's calls hold, by operator and position: indices, masks, variances.

What an operator refuses (an index beyond its table) or makes no number of (the root of a negative
one) is kept away from it. Importing this module does not import mxnet.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from opperf.calls.format.values import CallTensor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.calls.format.values import Argument

OUT = "out"
"""The argument that lists what a call writes to."""


@dataclass(frozen=True)
class Given:
    """The arrays of a call in order, what it writes to, and its attributes."""

    arrays: Sequence[CallTensor]
    outputs: Sequence[CallTensor]
    attributes: Mapping[str, Any]


def size_along(shape: Sequence[int], given: Given, usual: int) -> int:
    """Return the size along the axis that the attributes name."""
    axis = given.attributes.get("axis", usual)
    return prod(shape) if axis is None else shape[axis]


INDICES: Mapping[tuple[str, int], Callable[[Given], int]] = MappingProxyType(
    {
        ("Embedding", 0): lambda given: given.attributes["input_dim"],
        ("_backward_Embedding", 1): lambda given: given.attributes["input_dim"],
        ("take", 1): lambda given: size_along(given.arrays[0].shape, given, 0),
        ("_backward_take", 1): lambda given: size_along(given.outputs[0].shape, given, 0),
        ("pick", 1): lambda given: size_along(given.arrays[0].shape, given, -1),
        ("_backward_pick", 1): lambda given: size_along(given.outputs[0].shape, given, -1),
        ("one_hot", 0): lambda given: given.attributes["depth"],
        ("softmax_cross_entropy", 1): lambda given: given.arrays[0].shape[-1],
        ("SoftmaxOutput", 1): lambda given: given.arrays[0].shape[1],
        ("batch_take", 1): lambda given: given.arrays[0].shape[-1],
    }
)
"""What the indices at a position lie below; MXNet takes them in any element type."""
POSITIVE = frozenset(
    {
        ("BatchNorm", 4), ("_backward_BatchNorm", 2), ("_backward_BatchNorm", 7), ("sqrt", 0),
        ("rsqrt", 0), ("log", 0), ("log2", 0), ("log10", 0), ("log1p", 0), ("gammaln", 0),
        ("_backward_sqrt", 1), ("_backward_rsqrt", 1), ("_backward_log", 1), ("elemwise_div", 1),
        ("broadcast_div", 1), ("_backward_div", 2), ("_backward_broadcast_div", 2),
        ("_rdiv_scalar", 0), ("_power_scalar", 0), ("broadcast_power", 0),
        ("_backward_LayerNorm", 4), ("_backward_log1p", 1), ("_backward_power_scalar", 1),
        ("reciprocal", 0), ("_backward_reciprocal", 1),
    }
)  # fmt: skip
PROBABILITIES = frozenset({("_backward_softmax", 1), ("_backward_sigmoid", 1)})
MASKS = frozenset({("_backward_Dropout", 1), ("where", 0), ("_backward_where", 1)})


def filled(operator: str, arguments: Sequence[Argument]) -> list[Argument]:
    """Return the arguments with the values of each array stated, where they matter."""
    arrays = [each.value for each in arguments if isinstance(each.value, CallTensor)]
    named = {each.name: each.value for each in arguments if each.name is not None}
    given = Given(arrays, named.pop(OUT, ()), named)
    position = -1
    found = []
    for argument in arguments:
        if not isinstance(argument.value, CallTensor):
            found.append(argument)
            continue
        position += 1
        values = values_of(operator, position, argument.value, given)
        found.append(replace(argument, value=replace(argument.value, values=values)))
    return found


def values_of(
    operator: str, position: int, tensor: CallTensor, given: Given
) -> Mapping[str, Any] | None:
    """Return how an array of a call is filled, None for as usual."""
    if tensor.values is not None:
        return tensor.values
    place = operator, position
    for kind, places in (("positive", POSITIVE), ("probabilities", PROBABILITIES), ("mask", MASKS)):
        if place in places:
            return {"kind": kind}
    if place not in INDICES:
        return {"kind": "mask"} if tensor.dtype == "bool" else None
    try:
        return {"kind": "indices", "below": INDICES[place](given)}
    except (KeyError, IndexError, TypeError):  # a file's call, which MXNet would refuse
        return None
