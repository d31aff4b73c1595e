"""PyTorch's Fourier transforms, with (real, imaginary) pairs viewed as complex numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, built

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


JOIN, PART = "torch.view_as_complex", "torch.view_as_real"


def of_pairs(
    join: Callable[..., Any], transform: Callable[..., Any], part: Callable[..., Any], data: Any
) -> Step:
    """view_as_complex -> transform -> view_as_real."""

    def composition() -> Any:
        return part(transform(join(data)))

    return composition


def to_pairs(transform: Callable[..., Any], part: Callable[..., Any], *data: Any) -> Step:
    """Transform of real numbers -> view_as_real."""

    def composition() -> Any:
        return part(transform(*data))

    return composition


def from_pairs(join: Callable[..., Any], transform: Callable[..., Any], data: Any) -> Step:
    """view_as_complex -> transform to real numbers."""

    def composition() -> Any:
        return transform(join(data))

    return composition


def spectra(
    transform: Callable[..., Any], part: Callable[..., Any], data: Any, window: Any, *, hop: int
) -> Step:
    """Stft without padding, one-sided -> view_as_real."""
    points = len(window)

    def composition() -> Any:
        found = transform(
            data, points, hop, window=window, center=False, onesided=True, return_complex=True
        )
        return part(found)

    return composition


def complex_transform(name: str) -> Implementation:
    """Return the implementation of a transform between complex numbers."""
    return built(f"{JOIN} + torch.fft.{name} + {PART}", of_pairs)
