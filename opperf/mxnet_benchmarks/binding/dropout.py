"""MXNet's dropout."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, built

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def drop(call: Callable[..., Any], data: Any, *, p: float, training: bool, **options: Any) -> Step:
    """Dropout; autograd's recording scope selects training."""
    del training
    return partial(call, data, p=p, **options)


def channels(spatial: int) -> Implementation:
    """Return dropout with one mask value over `spatial` axes."""
    axes = tuple(range(2, 2 + spatial))
    return built("mxnet.nd.Dropout", partial(drop, axes=axes))
