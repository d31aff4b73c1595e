"""PyTorch's smallest calls, and loops in Python around them."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from opperf.pytorch_benchmarks.binding.fusing import WHOLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def read(call: Callable[..., Any], data: Any) -> Step:
    """Convert to a Python number; the tensor is returned for the check."""

    def composition() -> Any:
        call(data)
        return data

    return composition


def foreach(
    unbind: Callable[..., Any], add: Callable[..., Any], stack: Callable[..., Any], data: Any
) -> Step:
    """The cumulative sum of rows, as a loop in Python from a state of zeros."""
    start = data.new_zeros(data.shape[1:])

    def composition() -> Any:
        state, found = start, []
        for row in unbind(data):
            state = add(row, state)
            found.append(state)
        return stack(found)

    return composition


def while_loop(call: Callable[..., Any], data: Any, *, times: int) -> Step:
    """Repeated doubling, as a loop in Python that reads the counter each time."""
    start = data.new_zeros(1)

    def composition() -> Any:
        counter, values = start, data
        while counter < times:
            counter, values = counter + 1, call(values, 2)
        return values

    return composition


def cond(call: Callable[..., Any], data: Any, flag: Any) -> Step:
    """Return flag ? 2 * data : data^2, as a branch in Python."""

    def composition() -> Any:
        return call(data, 2) if flag > 0 else call(data, data)

    return composition


@lru_cache(maxsize=1)
def compiled_sum(
    compiler: Callable[..., Any], call: Callable[..., Any], lhs: Any, rhs: Any
) -> Step:
    """Bind the compiled sum, once for these tensors.

    Each compilation starts afresh, as PyTorch gives up after some shapes of the same function.
    """
    import torch

    torch.compiler.reset()

    def add(lhs: Any, rhs: Any) -> Any:
        return call(lhs, rhs)

    return partial(compiler(add, backend="eager", **WHOLE), lhs, rhs)
