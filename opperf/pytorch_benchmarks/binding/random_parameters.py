"""PyTorch's samples with tensors of parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def spread(parameter: Any, count: int) -> Any:
    """Return a view with one row per parameter."""
    return parameter[:, None].expand(-1, count)


def uniform_rows(
    draw: Callable[..., Any], mix: Callable[..., Any], *bounds: Any, count: int
) -> Step:
    """Rand -> lerp between the bounds."""
    low, high = (bound[:, None] for bound in bounds)
    shape, options = (len(low), count), {"dtype": low.dtype, "device": low.device}
    return lambda: mix(low, high, draw(shape, **options))


def by_rows(call: Callable[..., Any], *parameters: Any, count: int) -> Step:
    """Samples by expanded views of the parameters."""
    rows = [spread(parameter, count) for parameter in parameters]
    return lambda: call(*rows)


def gamma_rows(
    call: Callable[..., Any], scale: Callable[..., Any], alpha: Any, beta: Any, *, count: int
) -> Step:
    """Samples of unit scale -> multiply in place."""
    shapes, scales = spread(alpha, count), beta[:, None]
    return lambda: scale(call(shapes), scales)


def exponential_rows(
    empty: Callable[..., Any], fill: Callable[..., Any], divide: Callable[..., Any],
    lam: Any, *, count: int,
) -> Step:  # fmt: skip
    """Samples of unit rate -> divide in place."""
    rates, shape = lam[:, None], (len(lam), count)
    options = {"dtype": lam.dtype, "device": lam.device}
    return lambda: divide(fill(empty(shape, **options)), rates)


def negative_binomial_rows(
    call: Callable[..., Any], scale: Callable[..., Any], draw: Callable[..., Any],
    k: Any, p: Any, *, count: int,
) -> Step:  # fmt: skip
    """Gamma rates -> Poisson samples; scales are made beforehand."""
    rates = gamma_rows(call, scale, k, (1 - p) / p, count=count)
    return lambda: draw(rates())


def generalized_rows(
    call: Callable[..., Any], scale: Callable[..., Any], draw: Callable[..., Any],
    mu: Any, alpha: Any, *, count: int,
) -> Step:  # fmt: skip
    """Gamma rates -> Poisson samples; shapes and scales are made beforehand."""
    rates = gamma_rows(call, scale, 1 / alpha, mu * alpha, count=count)
    return lambda: draw(rates())
