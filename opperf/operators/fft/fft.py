"""Fourier transforms.

A complex number is a pair of real ones on the last axis: declarations have no complex dtype.
Typical transforms are of 1024 points, or of images of 256 x 256; skewed ones are of prime lengths.
"""

from __future__ import annotations

from math import log2, prod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import WIDE, Tensor
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.tensors.tensor import Array, Shape
    from opperf.declaring.elementwise import Sizes

PAIR = 2
ROWS = {"small": (8, 64), "typical": (64, 1024), "large": (1024, 4096), "skewed": (101, 131)}
IMAGES = {
    "small": (2, 16, 16),
    "typical": (4, 256, 256),
    "large": (16, 512, 512),
    "skewed": (3, 101, 131),
}


def to_complex(data: Array) -> Array:
    """Return the complex numbers of (real, imaginary) pairs on the last axis."""
    return data[..., 0] + 1j * data[..., 1]


def to_pairs(data: Array) -> Array:
    """Return complex numbers as (real, imaginary) pairs on the last axis."""
    return np.stack((data.real, data.imag), axis=-1)


def of_pairs(transform: Callable[..., Array]) -> Any:
    """Return a transform of complex numbers as one of pairs."""

    def reference(data: Array) -> Array:
        return to_pairs(transform(to_complex(data))).astype(data.dtype)

    reference.__doc__ = f"Return numpy.fft.{transform.__name__} of pairs."
    return reference


def adjoint_of_pairs(transform: Callable[..., Array], axes: int) -> Any:
    """Return the gradient of the transform with this adjoint, along this many axes."""

    def gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
        points = prod(data.shape[-1 - axes : -1])
        scale = points if transform.__name__.startswith("i") else 1 / points
        return (to_pairs(transform(to_complex(cotangents[0]))) * scale,)

    return gradient


def rfft(data: Array) -> Array:
    """Return the non-negative frequencies of the transform of real rows."""
    return to_pairs(np.fft.rfft(data)).astype(data.dtype)


def rfft_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return the real part of the inverse transform of the cotangent, padded by zeros."""
    spectrum = np.zeros(data.shape, complex)
    spectrum[..., : cotangents[0].shape[-2]] = to_complex(cotangents[0])
    return (np.fft.ifft(spectrum).real * data.shape[-1],)


def irfft(data: Array) -> Array:
    """Return the real rows with this half-spectrum."""
    return np.fft.irfft(to_complex(data)).astype(data.dtype)


def irfft_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return the gradient by the half-spectrum.

    Frequencies that stand for two count twice; the first and last stand for one, and are real.
    """
    found = np.fft.rfft(cotangents[0]) / cotangents[0].shape[-1]
    found[..., 1:-1] *= 2
    pairs = to_pairs(found)
    pairs[..., [0, -1], 1] = 0
    return (pairs + 0 * data,)


def hfft(data: Array) -> Array:
    """Return the real spectrum of rows given by their first half."""
    return np.fft.hfft(to_complex(data)).astype(data.dtype)


def hfft_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return the gradient of `irfft`, conjugated and scaled."""
    (found,) = irfft_gradient(cotangents, data)
    return (found * (cotangents[0].shape[-1], -cotangents[0].shape[-1]),)


def rfft2(data: Array) -> Array:
    """Return the half-spectrum of the 2-D transform of real images."""
    return to_pairs(np.fft.rfft2(data)).astype(data.dtype)


def rfft2_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return the real part of the inverse transform of the cotangent, padded by zeros."""
    spectrum = np.zeros(data.shape, complex)
    spectrum[..., : cotangents[0].shape[-2]] = to_complex(cotangents[0])
    return (np.fft.ifft2(spectrum).real * prod(data.shape[-2:]),)


def swap_halves(data: Array) -> Array:
    """Return each row with its halves swapped."""
    return np.fft.fftshift(data, axes=-1)


def swap_halves_gradient(cotangents: Sequence[Array], data: Array) -> tuple[Array]:
    """Return the cotangent with the halves of each row swapped back."""
    del data  # nothing but places change
    return (np.fft.ifftshift(cotangents[0], axes=-1),)


class FourierTransform(Declaration, abstract=True):
    """A Fourier transform along the last `axes`; `complex_input` if data are pairs."""

    tensors = {"data": Tensor()}
    sizes: ClassVar[Sizes] = {size: {"data": (*shape, PAIR)} for size, shape in ROWS.items()}
    dtypes = WIDE
    complex_input: ClassVar[bool] = True
    axes: ClassVar[int] = 1
    tolerance = gradient_tolerance = CANCELING_SUMS

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        shape: Shape = self.inputs["data"]
        self.require_least_rank("data", self.axes + self.complex_input)
        fits = not self.complex_input or shape[-1] == PAIR
        self.require(fits, "data", "must have pairs on the last axis")
        return (shape,)

    def flop_count(self) -> int:
        """Return 5 n log2(n) FLOP a complex transform of n points, half a real one (FFTW)."""
        shape = self.inputs["data"]
        grid = shape[:-1] if self.complex_input else shape
        share = 5 if self.complex_input else 2.5
        return round(share * prod(grid) * log2(max(prod(grid[-self.axes :]), 2)))


class FFT(FourierTransform):
    """Discrete Fourier transform of each row."""

    reference = of_pairs(np.fft.fft)
    gradient = adjoint_of_pairs(np.fft.ifft, 1)


class IFFT(FourierTransform):
    """Inverse discrete Fourier transform of each row."""

    reference = of_pairs(np.fft.ifft)
    gradient = adjoint_of_pairs(np.fft.fft, 1)


class FFT2(FourierTransform):
    """2-D Fourier transform of each image."""

    sizes = {size: {"data": (*shape, PAIR)} for size, shape in IMAGES.items()}
    axes = 2
    reference = of_pairs(np.fft.fft2)
    gradient = adjoint_of_pairs(np.fft.ifft2, 2)


class IFFT2(FFT2):
    """Inverse 2-D Fourier transform of each image."""

    reference = of_pairs(np.fft.ifft2)
    gradient = adjoint_of_pairs(np.fft.fft2, 2)


class FFTN(FFT2):
    """3-D Fourier transform of the images as one volume."""

    axes = 3
    reference = of_pairs(np.fft.fftn)
    gradient = adjoint_of_pairs(np.fft.ifftn, 3)


class RFFT(FourierTransform):
    """Fourier transform of real rows: the non-negative frequencies."""

    sizes = {size: {"data": shape} for size, shape in ROWS.items()}
    complex_input = False
    reference = rfft
    gradient = rfft_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return n // 2 + 1 pairs a row."""
        *rows, points = super().outputs()[0]
        return ((*rows, points // 2 + 1, PAIR),)


class IRFFT(FourierTransform):
    """Inverse of RFFT: real rows of even length from their half-spectrum."""

    sizes = {size: {"data": (rows, points // 2 + 1, PAIR)} for size, (rows, points) in ROWS.items()}
    reference = irfft
    gradient = irfft_gradient

    def outputs(self) -> tuple[Shape, ...]:
        """Return 2 (n - 1) points a row."""
        *rows, points, _ = super().outputs()[0]
        self.require(points > 1, "data", "must have more than one pair a row")
        return ((*rows, 2 * (points - 1)),)


class HFFT(IRFFT):
    """Real spectrum of Hermitian-symmetric rows, given by their first half."""

    reference = hfft
    gradient = hfft_gradient


class RFFT2(RFFT):
    """2-D Fourier transform of real images: the half-spectrum."""

    sizes = {size: {"data": shape} for size, shape in IMAGES.items()}
    axes = 2
    reference = rfft2
    gradient = rfft2_gradient


class FFTShift(FourierTransform):
    """Rows with their halves swapped: frequency zero in the middle."""

    sizes = {size: {"data": shape} for size, shape in ROWS.items()}
    complex_input = False
    reference = swap_halves
    gradient = swap_halves_gradient
    flops_per_element = 0  # a copy is no arithmetic
