"""MXNet's dropout."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built
from opperf.operators import dropout

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def bind(call: Callable[..., Any], data: Any, *, p: float, training: bool) -> Step:
    """Bind; the scope of recording decides whether it trains."""
    del training
    return partial(call, data, p=p)


TABLE = {
    dropout.Dropout: built("mxnet.nd.Dropout", bind),
}
