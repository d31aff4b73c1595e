"""MXNet's joining and splitting."""

from __future__ import annotations

from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def split_sizes(call: Callable[..., Any], data: Any, *, lengths: tuple[int, ...]) -> Step:
    """Split at the beginnings of all parts but the first."""
    starts = (0, *accumulate(lengths[:-1]))
    return partial(call, data, starts[1:], len(data.shape) - 1)


def unbind(call: Callable[..., Any], data: Any) -> Step:
    """Split into slices of length one, squeezed."""
    return partial(call, data, num_outputs=data.shape[0], axis=0, squeeze_axis=True)
