"""PyTorch's special functions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def order_first(call: Callable[..., Any], data: Any, *, n: int) -> Step:
    """A call that takes the order before the tensor."""
    return partial(call, n, data)


def gamma_function(log: Callable[..., Any], exp: Callable[..., Any], data: Any) -> Step:
    """exp(lgamma(data)), the gamma function of positive numbers."""
    return lambda: exp(log(data))
