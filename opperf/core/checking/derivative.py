"""Gradients of a float64 reference by finite differences, where no closed form is declared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.correctness import Comparison

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.checking.tolerance import Bound
    from opperf.core.tensors.tensor import Array

    Reference = Callable[..., Sequence[Array]]

STEP = 1e-5
MOST_ELEMENTS = 20_000
"""Above this many elements the full gradient is not computed: too slow before a measurement."""


def elementwise_gradient(
    reference: Reference, arrays: Sequence[Array], position: int, cotangents: Sequence[Array]
) -> Array:
    """Return the gradient by one input of an operator whose outputs meet its inputs one to one.

    Every element is moved at once, by a central difference; what broadcasting repeats is summed
    again.
    """

    def value_at(step: Array) -> Array:
        changed = [*arrays]
        changed[position] = arrays[position] + step
        return sum_products(reference(*changed), cotangents)

    step = STEP * np.maximum(np.abs(arrays[position]), 1)
    slope = (value_at(step) - value_at(-step)) / (2 * step)
    return unbroadcast(slope, arrays[position].shape)


def sum_products(outputs: Sequence[Array], cotangents: Sequence[Array]) -> Array:
    """Return the outputs weighted by their cotangents, element by element."""
    return np.sum([o * g for o, g in zip(outputs, cotangents, strict=True)], axis=0)


def unbroadcast(gradient: Array, shape: tuple[int, ...]) -> Array:
    """Sum a gradient over the axes along which an input was repeated."""
    extra = gradient.ndim - len(shape)
    summed = gradient.sum(axis=tuple(range(extra)))
    repeated = tuple(axis for axis, size in enumerate(shape) if size != summed.shape[axis])
    return summed.sum(axis=repeated, keepdims=True)


def full_gradient(
    reference: Reference, arrays: Sequence[Array], position: int, cotangents: Sequence[Array]
) -> Array:
    """Return the gradient by one input, moving one element at a time, by central differences."""
    array = arrays[position].copy()
    changed = [*arrays]
    changed[position] = array
    gradient = np.zeros_like(array)

    for index in np.ndindex(array.shape):
        kept = array[index]
        step = STEP * max(abs(kept), 1.0)
        array[index] = kept + step
        above = reference(*changed)
        array[index] = kept - step
        gradient[index] = sum_differences(above, reference(*changed), cotangents) / (2 * step)
        array[index] = kept
    return gradient


def sum_differences(
    above: Sequence[Array], below: Sequence[Array], cotangents: Sequence[Array]
) -> float:
    """Return the sum of what the outputs differ by, weighted by their cotangents.

    The difference is taken first: two sums over all elements would round away what one changes.
    """
    changes = zip(above, below, cotangents, strict=True)
    return float(sum(((a - b) * g).sum() for a, b, g in changes))


def directional_errors(
    reference: Reference,
    arrays: Sequence[Array],
    cotangents: Sequence[Array],
    gradients: Mapping[int, Array],
    bound: Bound,
    *,
    directions: int = 3,
) -> Comparison:
    """Compare gradients by inputs, given by position, along their signs and random directions.

    The error is a share of the size that the product has without cancellation: what is wrong of
    all of it, or of half of it, is seen, a single element hides where it is one of very many. The
    record says which check was made.
    """
    result = Comparison()
    tolerance = bound.rtol + bound.atol
    for position, found in gradients.items():
        gradient = found.astype(float)
        if gradient.shape != arrays[position].shape:
            fault = f"gradient {position} has shape {gradient.shape}"
            return Comparison(fault=f"{fault}, expected {arrays[position].shape}")
        norm = float(np.linalg.norm(gradient.ravel())) or 1.0
        random = np.random.default_rng((position, 7))
        drawn = (random.standard_normal(gradient.shape) for _ in range(directions))
        # Along its signs, all of a gradient adds up: a factor that is wrong shows whole. (Along the
        # gradient itself, its peaks would move too far for a difference to be exact.)
        signs = (np.sign(gradient), float(np.abs(gradient).sum()) or 1.0)
        for direction, scale in (signs, *((one, norm) for one in drawn)):
            slope = directional_derivative(reference, arrays, position, direction, cotangents)
            error = abs(float((gradient * direction).sum()) - slope) / scale
            label = f"derivative by input {position} along a direction"
            fault = f"{label} is off by {error:.2g} of its size"
            wrong = not error <= tolerance
            result = result.worst(Comparison(error * scale, error, fault if wrong else None))
    return result


def directional_derivative(
    reference: Reference,
    arrays: Sequence[Array],
    position: int,
    direction: Array,
    cotangents: Sequence[Array],
) -> float:
    """Return the reference's derivative by one input along a direction, by central differences."""

    def outputs_at(step: float) -> Sequence[Array]:
        changed = [*arrays]
        changed[position] = arrays[position] + step * direction
        return reference(*changed)

    return sum_differences(outputs_at(STEP), outputs_at(-STEP), cotangents) / (2 * STEP)
