"""The framework that is measured: synchronous, over NumPy arrays, with a backward by a tape."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

__version__ = "1.0"

Pull = Callable[[Any], Sequence[Any]]


@dataclass(eq=False)
class Tensor:
    """Values, and where recorded, what they were made of and how their gradient flows there."""

    values: Any
    parents: Sequence[Tensor] = ()
    pull: Pull | None = None

    def __mul__(self, factor: float) -> Tensor:
        return made(self.values * factor, (self,), lambda seed: (seed * factor,))


@dataclass
class Tape:
    """Whether calls are recorded."""

    on: bool = field(default=False)


TAPE = Tape()


@contextmanager
def recording(*, on: bool) -> Iterator[None]:
    """Record calls, or do not."""
    before, TAPE.on = TAPE.on, on
    try:
        yield
    finally:
        TAPE.on = before


def made(values: Any, parents: Sequence[Tensor], pull: Pull) -> Tensor:
    """Return an output, recorded where the tape is on."""
    return Tensor(values, parents, pull) if TAPE.on else Tensor(values)


def add(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Return the sum of two tensors of one shape."""
    return made(lhs.values + rhs.values, (lhs, rhs), lambda seed: (seed, seed))


def double(data: Tensor) -> Tensor:
    """Return twice the tensor."""
    return data * 2


def trip(data: Tensor) -> Tensor:
    """Return the tensor; its backward dies."""
    return made(data.values, (data,), lambda _: [ctypes.string_at(0)])


def gradients(
    outputs: Sequence[Tensor], leaves: Sequence[Tensor], cotangents: Sequence[Tensor]
) -> list[Tensor]:
    """Return the gradient by each leaf of outputs that were recorded."""
    found = {id(leaf): np.zeros_like(leaf.values) for leaf in leaves}
    waiting = [(output, one.values) for output, one in zip(outputs, cotangents, strict=True)]
    while waiting:
        tensor, seed = waiting.pop()
        if id(tensor) in found:
            found[id(tensor)] = found[id(tensor)] + seed
        if tensor.pull is not None:
            waiting += zip(tensor.parents, tensor.pull(seed), strict=True)
    return [Tensor(found[id(leaf)]) for leaf in leaves]
