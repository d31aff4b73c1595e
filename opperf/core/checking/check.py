"""What a check of outputs or gradients has at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.checking.tolerance import Bound
    from opperf.core.tensors.tensor import Array

Values = TypeVar("Values", "Sequence[Array]", "Mapping[str, Array]")


@dataclass(frozen=True)
class Check(Generic[Values]):
    """The framework's values beside the reference's: outputs in order, or gradients by input.

    `arrays` are the inputs, `bound` is how far values may be from the reference's, `training` says
    that outputs were computed in training mode, and `outputs` are those of the same draw where
    the gradients of a random operator are checked.
    """

    actual: Values
    expected: Values
    arrays: Sequence[Array]
    bound: Bound
    training: bool = False
    outputs: Sequence[Array] | None = None
