"""MXNet's operators on boxes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def correlation(call: Callable[..., Any], lhs: Any, rhs: Any, *, reach: int) -> Step:
    """The correlation of patches of one pixel."""
    options = {"kernel_size": 1, "max_displacement": reach, "pad_size": reach}
    return partial(call, lhs, rhs, stride1=1, stride2=1, is_multiply=True, **options)
