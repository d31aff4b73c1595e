"""MXNet's random sampling."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.framework import built
from opperf.operators import random

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def normal(
    call: Callable[..., Any], *, loc: float, scale: float, shape: Any, dtype: str, device: str
) -> Step:
    """Bind; the device is MXNet's current one."""
    del device
    return partial(call, loc, scale, shape, dtype=dtype)


TABLE = {
    random.NormalRandom: built("mxnet.nd.random.normal", normal),
}
