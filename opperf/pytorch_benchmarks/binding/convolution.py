"""PyTorch's convolutions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def grouped_convolution(
    call: Callable[..., Any], data: Any, weight: Any, bias: Any, *, stride: int, padding: int
) -> Step:
    """Grouped convolution, with the number of groups given by the weight's channels."""
    groups = data.shape[1] // weight.shape[1]
    options = {"stride": stride, "padding": padding, "groups": groups}
    return partial(call, data, weight, bias, **options)
