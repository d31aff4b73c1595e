"""A call's results beside those of its declaration's NumPy reference, on the same values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.calls.measuring.description import contiguous
from opperf.core.errors import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.calls.declared.finding import DeclaredCall
    from opperf.calls.format.values import CallTensor
    from opperf.core.tensors.tensor import Array

MOST_FLOP = 4 * 10**9
"""Of a call: what NumPy takes some tenths of a second for."""
MOST_ELEMENTS = 2**24
"""Of all inputs and outputs together, each held in float64."""


@dataclass(frozen=True)
class SecondReference:
    """A call as a declaration's forward, with what the declaration's reference returns for it.

    Args:
        declared: the call as the declaration's.
        tensors: the call's tensors.
        flat: the elements of a tensor's memory, by its name.

    """

    declared: DeclaredCall
    tensors: Mapping[str, CallTensor]
    flat: Callable[[str], Array]

    @property
    def name(self) -> str:
        """What a record calls it."""
        return f"numpy float64 ({self.declared.declaration})"

    def outputs(self) -> list[Array]:
        """Return what the declaration's reference returns.

        Raises:
            UnsupportedError: it is left out, for the reason that this says.
        """
        operator = self.declared.operator
        if self.declared.direction == "backward":
            raise UnsupportedError("a backward's gradient is the network's")
        elements = sum(map(np.prod, (*operator.shapes.values(), *operator.outputs())))
        if elements > MOST_ELEMENTS:
            raise UnsupportedError(f"more than {MOST_ELEMENTS:,} elements")
        if operator.flop_count() > MOST_FLOP:
            raise UnsupportedError(f"more than {MOST_FLOP:,} FLOP")
        arrays = [self.array(name) for name in operator.tensors]
        training = self.declared.direction != "forward"
        with np.errstate(all="ignore"):
            return operator.evaluate(arrays, training=training)

    def outputs_like(self, results: Sequence[Array]) -> list[Array]:
        """Return the same in the shapes of results, which may keep axes of one element."""
        return [
            right.reshape(result.shape) if right.size == result.size else right
            for right, result in zip(self.outputs(), results, strict=False)
        ]

    def array(self, name: str) -> Array:
        """Return the values of an input of the declaration, as the call has them."""
        place, order = self.declared.places[name]
        if place not in self.tensors:
            raise UnsupportedError(f"{place} is a tensor of a list")
        tensor = self.tensors[place]
        flat = self.flat(place)
        strides = tensor.strides or contiguous(tensor.shape)
        steps = [stride * flat.itemsize for stride in strides]
        laid_out: Any = np.lib.stride_tricks.as_strided(flat, tensor.shape, steps)
        reordered = np.ascontiguousarray(
            laid_out.transpose([order.index(axis) for axis in range(len(order))])
        )
        own = self.declared.operator.tensors[name].dtype
        return reordered if own and own != "bool" else reordered.astype(float)

    def outside(self) -> str | None:
        """Return which input has values that the declaration is not defined for, if one has."""
        for name, domain in self.declared.operator.domains().items():
            array = self.array(name)
            if array.size and not (domain.low <= array.min() and array.max() <= domain.high):
                return f"{name} has values outside of its range"
        return None
