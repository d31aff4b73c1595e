"""PyTorch's preparation of images, with the calls of torchvision."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.operators import image

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def normalize(subtract: Callable[..., Any], divide: Callable[..., Any], data: Any) -> Step:
    """Subtract -> divide, by one number per channel made beforehand."""
    mean, deviation = (
        data.new_tensor(values)[:, None, None] for values in (image.MEAN, image.DEVIATION)
    )

    def composition() -> Any:
        return divide(subtract(data, mean), deviation)

    return composition


def to_tensor(
    permute: Callable[..., Any], store: Callable[..., Any], divide: Callable[..., Any], data: Any
) -> Step:
    """Permute -> contiguous -> divide by 255."""

    def composition() -> Any:
        return divide(store(permute(data, (2, 0, 1))), 255)

    return composition


def crop(part: Callable[..., Any], store: Callable[..., Any], data: Any, *, border: int) -> Step:
    """Slice -> copy: the slice alone is a view."""
    height, width, _ = data.shape
    where = slice(border, height - border), slice(border, width - border)

    def composition() -> Any:
        return store(part(data, where))

    return composition


def lighting(call: Callable[..., Any], data: Any) -> Step:
    """Return data + shift, with the shift of each color made beforehand."""
    return partial(call, data, data.new_tensor(image.COLORS @ image.ALPHA))
