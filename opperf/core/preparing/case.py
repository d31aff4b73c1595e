"""A case: one operator on one set of arrays, before any framework has seen it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opperf.core.tensors.tensor import CONTIGUOUS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.frameworks.variant import Variant
    from opperf.core.tensors.tensor import Array, Tensor


@dataclass(frozen=True, kw_only=True)
class Case:
    """One operator on one set of arrays, before any framework has seen it.

    `cotangents` are the gradients by each differentiable output, which `differentiable_outputs`
    lists by position, and lie as `output_layout` says; `tensors` declares each input.
    """

    operator: type[Any]
    tensors: Mapping[str, Tensor]
    arrays: Mapping[str, Array]
    attributes: Mapping[str, object]
    dtype: str
    device: str
    training_mode: bool
    variant: Variant
    cotangents: Sequence[Array] = ()
    differentiable_outputs: tuple[int, ...] = (0,)
    output_layout: str = CONTIGUOUS

    def differentiable(self) -> tuple[str, ...]:
        """Return the names of the inputs that have a gradient, in order."""
        return tuple(name for name, tensor in self.tensors.items() if tensor.differentiable)

    def states(self) -> tuple[str, ...]:
        """Return the names of the inputs that training changes beside the output."""
        return tuple(name for name, tensor in self.tensors.items() if tensor.state)

    def mutated(self) -> tuple[str, ...]:
        """Return the names of the inputs that the operator changes in place."""
        return tuple(name for name, tensor in self.tensors.items() if tensor.mutated)
