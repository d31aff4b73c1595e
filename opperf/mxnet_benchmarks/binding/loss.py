"""MXNet's losses: Gluon's blocks, which call operators on NDArrays."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def block(call: Callable[..., Any], pred: Any, label: Any, **attributes: float) -> Step:
    """Call a Gluon loss, made beforehand; not hybridized: eager beside eager."""
    return partial(call(**attributes), pred, label)


def block_of(call: Callable[..., Any], *tensors: Any, **options: object) -> Step:
    """Call a Gluon loss of several tensors, made beforehand."""
    return partial(call(**options), *tensors)


def nll(pick: Callable[..., Any], negative: Callable[..., Any], pred: Any, label: Any) -> Step:
    """Pick -> negative."""
    return lambda: negative(pick(pred, label))
