"""MXNet's random operators."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.implementation import built, native
from opperf.mxnet_benchmarks.cast import element_type
from opperf.operators import random

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def sample(
    call: Callable[..., Any], *, shape: Any, dtype: str, device: str, **parameters: float
) -> Step:
    """Bind; the device is MXNet's current one."""
    del device
    return partial(call, *parameters.values(), shape, dtype=element_type(dtype))


TABLE = {
    random.NormalRandom: built("mxnet.nd.random.normal", sample),
    random.UniformRandom: built("mxnet.nd.random.uniform", sample),
    random.Shuffle: native("mxnet.nd.random.shuffle"),
}
