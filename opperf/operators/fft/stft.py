"""Short-time Fourier transform."""

from __future__ import annotations

from math import log2, prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import WIDE, Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.fft.fft import PAIR, to_complex, to_pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.tensors.tensor import Array, Shape


def frames(data: Array, points: int, hop: int) -> Array:
    """Return the frames of a signal, one every `hop` samples."""
    return sliding_window_view(data, points, axis=-1)[..., ::hop, :]


def stft(data: Array, window: Array, *, hop: int) -> Array:
    """Return (batch, frequencies, frames, 2): the transform of each windowed frame."""
    found = np.fft.rfft(frames(data, len(window), hop) * window)
    return to_pairs(np.swapaxes(found, -1, -2)).astype(data.dtype)


def stft_gradient(
    cotangents: Sequence[Array], data: Array, window: Array, *, hop: int
) -> tuple[Array]:
    """Return the gradient by the signal: inverse transforms of the frames, overlap-added."""
    points = len(window)
    parts = np.swapaxes(to_complex(cotangents[0]), -1, -2)
    spectrum = np.zeros((*parts.shape[:-1], points), complex)
    spectrum[..., : parts.shape[-1]] = parts
    pieces = np.fft.ifft(spectrum).real * points * window
    found = np.zeros(data.shape)
    for at in range(pieces.shape[-2]):
        found[..., at * hop : at * hop + points] += pieces[..., at, :]
    return (found,)


def raised_cosine(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Return the periodic Hann window."""
    del random, low, high  # nothing is drawn
    return np.hanning(shape[0] + 1)[:-1]


class STFT(Declaration):
    """Short-time Fourier transform: RFFT of each windowed frame of a signal.

    Typical is Whisper's: frames of 400 samples, every 160, of five seconds at 16 kHz.
    """

    tensors = {"data": Tensor(), "window": Tensor(initializer=raised_cosine, differentiable=False)}
    attributes = {"hop": 160}
    sizes = {
        "small": {"data": (2, 512), "window": (64,), "hop": 16},
        "typical": {"data": (1, 80000), "window": (400,)},
        "large": {"data": (16, 480000), "window": (400,)},
        "skewed": {"data": (3, 10007), "window": (131,), "hop": 53},
    }
    dtypes = WIDE
    reference = stft
    gradient = stft_gradient
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return (batch, frequencies, frames, 2)."""
        self.require_rank("data", 2)
        self.require_rank("window", 1)
        (batch, samples), (points,) = self.inputs["data"], self.inputs["window"]
        self.require(points <= samples, "window", f"must be no longer than the {samples} samples")
        self.require(self.inputs["hop"] >= 1, "hop", "must be at least 1")
        return ((batch, points // 2 + 1, (samples - points) // self.inputs["hop"] + 1, PAIR),)

    def flop_count(self) -> int:
        """Return 1 FLOP a sample of each frame, and 2.5 n log2(n) for its real transform."""
        batch, _, stretches, _ = self.outputs()[0]
        points = prod(self.inputs["window"])
        return round(batch * stretches * points * (1 + 2.5 * log2(max(points, 2))))
