"""PyTorch's pooling."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, native

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def pooling_of(name: str) -> Implementation:
    """Return the pooling of this name."""
    return native(f"torch.nn.functional.{name}", rename={"kernel": "kernel_size"})


def whole_pooling_of(name: str) -> Implementation:
    """Return the adaptive pooling of this name, to one value per channel."""
    return native(f"torch.nn.functional.{name}", output_size=1)


def adaptive_pooling(name: str) -> Implementation:
    """Return the adaptive pooling of this name."""
    return native(f"torch.nn.functional.{name}")


def unpooling_of(name: str) -> Implementation:
    """Return the unpooling of this name."""
    return native(f"torch.nn.functional.{name}", kernel_size=2)


def sums(
    average: Callable[..., Any], scale: Callable[..., Any], data: Any, *, kernel: Any, **sizes: int
) -> Step:
    """avg_pool -> multiply by the divisor."""

    def composition() -> Any:
        return scale(average(data, kernel, **sizes), prod(kernel))

    return composition


def norms(call: Callable[..., Any], data: Any, *, kernel: Any, stride: int, padding: int) -> Step:
    """lp_pool; in one dimension PyTorch takes no tuple."""
    del padding  # there is none
    return partial(call, data, 2, kernel if len(kernel) > 1 else kernel[0], stride)
