"""Gradients of operators that move elements: each goes back to where its element came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.tensor import Array


def moved(reference: Callable[..., Any], *, tensors: int = 1) -> Any:
    """Return the gradient by the first tensors of an operator whose outputs are their elements.

    The elements are numbered from one and moved by the reference itself; zeros in the outputs are
    no element's. An element that is found several times gets the sum.
    """

    def gradient(seeds: Sequence[Array], *arrays: Array, **attributes: object) -> tuple[Array, ...]:
        parts, others = arrays[:tensors], arrays[tensors:]
        ends = np.cumsum([part.size for part in parts])
        starts = ends - [part.size for part in parts]
        numbered = [
            np.arange(start + 1, end + 1, dtype=float).reshape(part.shape)
            for start, end, part in zip(starts, ends, parts, strict=True)
        ]
        found = reference(*numbered, *others, **attributes)
        outputs = found if isinstance(found, tuple) else (found,)
        places = np.concatenate([output.ravel() for output in outputs]).astype(int)
        weights = np.concatenate([seed.ravel() for seed in seeds])
        sums = np.bincount(places, weights, ends[-1] + 1)
        return tuple(
            sums[start + 1 : end + 1].reshape(part.shape)
            for start, end, part in zip(starts, ends, parts, strict=True)
        )

    return staticmethod(gradient)
