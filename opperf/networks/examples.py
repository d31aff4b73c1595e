"""Example inputs and labels, drawn with NumPy so that both frameworks compute on the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator

Arrays = tuple["np.ndarray[Any, Any]", ...]
Example = tuple[Arrays, "np.ndarray[Any, Any]"]
"""The inputs of a network, and the labels that its loss compares the output with."""


def images(generator: Generator, batch: int, size: int, channels: int = 3) -> Any:
    """Return random images, channels first, between 0 and 1."""
    return generator.random((batch, channels, size, size), dtype=np.float32)


def below(generator: Generator, limit: int, shape: Sequence[int]) -> Any:
    """Return random whole numbers from 0 on."""
    return generator.integers(limit, size=tuple(shape), dtype=np.int64)


def mask(generator: Generator, shape: Sequence[int]) -> Any:
    """Return zeros and ones as numbers of floating point, half of them each."""
    return below(generator, 2, shape).astype(np.float32)


def image_classes(
    generator: Generator, batch: int, image: tuple[int, int], classes: int
) -> Example:
    """Return images of so many channels and such a size, and a class of each."""
    channels, size = image
    return (images(generator, batch, size, channels),), below(generator, classes, (batch,))


def next_tokens(generator: Generator, batch: int, length: int, vocabulary: int) -> Example:
    """Return sequences of tokens, and the token after each of them."""
    words, target = (below(generator, vocabulary, (batch, length)) for _ in range(2))
    return (words,), target


def clicks(generator: Generator, batch: int, dense: int, tables: tuple[int, int, int]) -> Example:
    """Return dense features, rows looked up in tables, and whether there was a click.

    `tables` says how many there are, how many rows each has, and how many an example looks up.
    """
    count, rows, lookups = tables
    features = generator.random((batch, dense), dtype=np.float32)
    chosen = below(generator, rows, (count, batch, lookups))
    return (features, chosen), mask(generator, (batch, 1))


def vector_classes(generator: Generator, batch: int, size: int, classes: int) -> Example:
    """Return vectors of so many numbers, and a class of each."""
    vectors = generator.random((batch, size), dtype=np.float32)
    return (vectors,), below(generator, classes, (batch,))


def spectrogram_texts(
    generator: Generator, batch: int, shape: tuple[int, int], text: tuple[int, int]
) -> Example:
    """Return spectrograms of so many frames and frequencies, and what is said in them.

    `text` says how long it is, and how many classes there are, of which 0 stands in no text.
    """
    length, classes = text
    spectrograms = generator.random((batch, 1, *shape), dtype=np.float32)
    return (spectrograms,), below(generator, classes - 1, (batch, length)) + 1
