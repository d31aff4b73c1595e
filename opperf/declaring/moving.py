"""Gradients of operators that only move elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.tensors.tensor import Array


def gather_gradient(reference: Callable[..., Any], **constants: float) -> Any:
    """Return the gradient of an operator whose outputs are elements of its tensors, or zeros.

    The elements of all floating-point tensors are numbered from one and moved by the reference
    itself; one that is found several times gets the sum. `constants` are the attributes that the
    operator puts between the elements, and the zeros in their place.
    """

    def gradient(
        cotangents: Sequence[Array], *arrays: Array, **attributes: object
    ) -> tuple[Array, ...]:
        numbered, ends = [], [0]
        for array in arrays:
            if array.dtype.kind == "f":
                ends.append(ends[-1] + array.size)
                numbers = np.arange(ends[-2] + 1, ends[-1] + 1, dtype=float)
                numbered.append(numbers.reshape(array.shape))
            else:
                numbered.append(array)
        found = reference(*numbered, **{**attributes, **constants})
        outputs = found if isinstance(found, tuple) else (found,)
        places = np.concatenate([output.ravel() for output in outputs]).astype(int)
        weights = np.concatenate([cotangent.ravel() for cotangent in cotangents])
        sums = np.bincount(places, weights, ends[-1] + 1)[1:]
        parts = np.split(sums, ends[1:-1])
        shapes = [array.shape for array in arrays if array.dtype.kind == "f"]
        return tuple(part.reshape(shape) for part, shape in zip(parts, shapes, strict=True))

    return gradient
