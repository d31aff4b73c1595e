"""Batches of sequences of different lengths, padded to (steps, batch, features).

Typical are 32 sentences of up to 128 tokens with 768 features, as in BERT-base. Lengths fall evenly
from the longest to one step, so that output shapes are known.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.declaring.moving import gather_gradient

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.tensors.tensor import Array, Initializer, Shape

SIZES = {
    "small": (8, 4, 16),
    "typical": (128, 32, 768),
    "large": (512, 64, 768),
    "skewed": (1009, 3, 2),
}

MOST_SEQUENCES = 2**24
"""The largest batch: the lengths are listed to be added up."""


def lengths_of(steps: int, batch: int) -> Array:
    """Return lengths that fall evenly from all steps to one."""
    return np.linspace(steps, 1, batch).round().astype(int)


def falling_lengths(steps: int) -> Initializer:
    """Return an initializer of these lengths."""

    def draw(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
        del random, low, high
        return lengths_of(steps, shape[0])

    return draw


def valid_steps(data: Array, lengths: Array) -> Array:
    """Return where steps belong to a sequence."""
    return np.arange(len(data))[:, None] < lengths


class PaddedSequences(Declaration, abstract=True):
    """An operator on padded sequences that only moves elements."""

    tensors = {"data": Tensor(), "lengths": Tensor(dtype="int32", differentiable=False, low=1)}
    sizes: ClassVar[Mapping[str, Mapping[str, object]]] = {
        size: {"data": shape, "lengths": (shape[1],)} for size, shape in SIZES.items()
    }
    flops_per_element = 0  # elements are moved only

    def domains(self) -> Mapping[str, Tensor]:
        """Return lengths within the steps."""
        steps = max(self.inputs["data"][0], 2)
        lengths = replace(self.tensors["lengths"], high=steps, initializer=falling_lengths(steps))
        return {**self.tensors, "lengths": lengths}

    def check(self) -> Shape:
        """Return the data's shape, or refuse it."""
        self.require_rank("data", 3)
        shape = self.inputs["data"]
        self.require(shape[0] > 1, "data", "must have at least 2 steps")
        expected = (shape[1],)
        self.require(self.inputs["lengths"] == expected, "lengths", f"must be {expected}")
        return shape

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        return (self.check(),)


def mask(data: Array, lengths: Array) -> Array:
    """Set the steps after each sequence to zero."""
    return data * valid_steps(data, lengths)[..., None]


class SequenceMask(PaddedSequences):
    """data[step] where step < length, else 0, per sequence."""

    reference = mask
    gradient = gather_gradient(mask)


def last(data: Array, lengths: Array) -> Array:
    """Return data[length - 1] per sequence."""
    return data[lengths - 1, np.arange(data.shape[1])]


class SequenceLast(PaddedSequences):
    """data[length - 1] per sequence."""

    part_read = {"data": "the last steps"}
    reference = last
    gradient = gather_gradient(last)

    def outputs(self) -> tuple[Shape, ...]:
        """Return one step."""
        return (self.check()[1:],)


def backwards(data: Array, lengths: Array) -> Array:
    """Reverse each sequence, leaving its padding in place."""
    steps = np.arange(len(data))[:, None]
    source = np.where(steps < lengths, lengths - 1 - steps, steps)
    return np.take_along_axis(data, source[..., None], 0)


class SequenceReverse(PaddedSequences):
    """data[length - 1 - step] per sequence, padding in place: the backward pass of a BiRNN."""

    reference = backwards
    gradient = gather_gradient(backwards)


def pack(data: Array, lengths: Array) -> Array:
    """Concatenate the valid steps of all sequences, step by step."""
    return data[valid_steps(data, lengths)]


class PackPaddedSequence(PaddedSequences):
    """The valid steps of all sequences concatenated, step by step, without padding."""

    part_read = {"data": "the steps before the padding"}
    reference = pack
    gradient = gather_gradient(pack)

    def outputs(self) -> tuple[Shape, ...]:
        """Return one row per valid step."""
        steps, batch, features = self.check()
        self.require(batch <= MOST_SEQUENCES, "data", f"at most {MOST_SEQUENCES} sequences")
        return ((int(lengths_of(steps, batch).sum()), features),)
