"""PyTorch's random operators."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, built

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def normal(
    call: Callable[..., Any], *, loc: float, scale: float, shape: Any, dtype: str, device: str
) -> Step:
    """Normal samples, with the dtype as PyTorch's own object."""
    import torch

    return partial(call, loc, scale, shape, dtype=getattr(torch, dtype), device=device)


def uniform(  # noqa: PLR0913 - two calls, then the operator's inputs
    empty: Callable[..., Any], fill: Callable[..., Any],
    *, low: float, high: float, shape: Any, dtype: str, device: str,
) -> Step:  # fmt: skip
    """Rand -> scale to the range."""
    import torch

    options = {"dtype": getattr(torch, dtype), "device": device}

    def composition() -> Any:
        return fill(empty(shape, **options), low, high)

    return composition


def shuffle(order: Callable[..., Any], select: Callable[..., Any], data: Any) -> Step:
    """Randperm -> index."""
    rows, device = len(data), data.device

    def composition() -> Any:
        return select(data, 0, order(rows, device=device))

    return composition


def fill_new(
    empty: Callable[..., Any], fill: Callable[..., Any],
    *, shape: Any, dtype: str, device: str, **parameters: float,
) -> Step:  # fmt: skip
    """Empty -> fill by the distribution."""
    import torch

    options = {"dtype": getattr(torch, dtype), "device": device}
    values = tuple(parameters.values())

    def composition() -> Any:
        return fill(empty(shape, **options), *values)

    return composition


def exponential(
    empty: Callable[..., Any], fill: Callable[..., Any], *, scale: float, **options: Any
) -> Step:
    """Empty -> exponential_ by the rate."""
    return fill_new(empty, fill, lambd=1 / scale, **options)


def by_tensor(
    call: Callable[..., Any], full: Callable[..., Any],
    *, shape: Any, dtype: str, device: str, **parameter: float,
) -> Step:  # fmt: skip
    """Samples by a tensor of equal parameters, made beforehand."""
    import torch

    (value,) = parameter.values()
    return partial(call, full(shape, value, dtype=getattr(torch, dtype), device=device))


def gamma(
    call: Callable[..., Any], scale: Callable[..., Any], full: Callable[..., Any],
    *, beta: float, **options: Any,
) -> Step:  # fmt: skip
    """Samples of unit scale -> multiply in place."""
    draw = by_tensor(call, full, **options)

    def composition() -> Any:
        return scale(draw(), beta)

    return composition


def whole_numbers(
    call: Callable[..., Any], *, low: int, high: int, shape: Any, dtype: str, device: str
) -> Step:
    """Uniform integers, int64 by default."""
    del dtype
    return partial(call, low, high, shape, device=device)


def filling(name: str) -> Implementation:
    """Return the distribution that fills a new tensor."""
    return built(f"torch.empty + torch.Tensor.{name}_", fill_new)
