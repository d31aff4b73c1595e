"""PyTorch's samples that are functions of simpler ones, computed in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def options_of(dtype: str, device: str) -> dict[str, Any]:
    """Return the options of a new tensor."""
    import torch

    return {"dtype": getattr(torch, dtype), "device": device}


def gumbel(  # noqa: PLR0913 - four calls, then the operator's inputs
    empty: Callable[..., Any], fill: Callable[..., Any], log: Callable[..., Any],
    add: Callable[..., Any],
    *, loc: float, scale: float, shape: Any, dtype: str, device: str,
) -> Step:  # fmt: skip
    """Return loc - scale * log(exponential samples), as in torch's gumbel_softmax."""
    options = options_of(dtype, device)
    center = empty((), **options).fill_(loc)
    return lambda: add(center, log(fill(empty(shape, **options))), alpha=-scale)


def logistic(  # noqa: PLR0913 - three calls, then the operator's inputs
    draw: Callable[..., Any], odds: Callable[..., Any], add: Callable[..., Any],
    *, loc: float, scale: float, shape: Any, dtype: str, device: str,
) -> Step:  # fmt: skip
    """Return loc + scale * logit(uniform samples), kept off 0 and 1."""
    import torch

    options = options_of(dtype, device)
    center = torch.full((), loc, **options)
    least = torch.finfo(options["dtype"]).eps / 2
    return lambda: add(center, odds(draw(shape, **options), least), alpha=scale)


def pareto(  # noqa: PLR0913 - three calls, then the operator's inputs
    empty: Callable[..., Any], fill: Callable[..., Any], finish: Callable[..., Any],
    *, a: float, shape: Any, dtype: str, device: str,
) -> Step:  # fmt: skip
    """exp(exponential samples of rate a) - 1."""
    options = options_of(dtype, device)
    return lambda: finish(fill(empty(shape, **options), a))


def rayleigh(  # noqa: PLR0913 - three calls, then the operator's inputs
    empty: Callable[..., Any], fill: Callable[..., Any], root: Callable[..., Any],
    *, scale: float, shape: Any, dtype: str, device: str,
) -> Step:  # fmt: skip
    """sqrt(exponential samples of mean 2 scale^2)."""
    options, rate = options_of(dtype, device), 1 / (2 * scale**2)
    return lambda: root(fill(empty(shape, **options), rate))


def weibull(  # noqa: PLR0913 - three calls, then the operator's inputs
    empty: Callable[..., Any], fill: Callable[..., Any], power: Callable[..., Any],
    *, a: float, shape: Any, dtype: str, device: str,
) -> Step:  # fmt: skip
    """(exponential samples)^(1 / a)."""
    options, exponent = options_of(dtype, device), 1 / a
    return lambda: power(fill(empty(shape, **options)), exponent)


def negative_binomial(  # noqa: PLR0913 - four calls, then the operator's inputs
    call: Callable[..., Any], scale: Callable[..., Any], draw: Callable[..., Any],
    full: Callable[..., Any], *, k: int, p: float, shape: Any, dtype: str, device: str,
) -> Step:  # fmt: skip
    """Gamma rates -> Poisson samples, as in torch.distributions."""
    shapes, factor = full(shape, float(k), **options_of(dtype, device)), (1 - p) / p
    return lambda: draw(scale(call(shapes), factor))


def generalized_negative_binomial(  # noqa: PLR0913 - four calls, then the operator's inputs
    call: Callable[..., Any], scale: Callable[..., Any], draw: Callable[..., Any],
    full: Callable[..., Any], *, mu: float, alpha: float, shape: Any, dtype: str, device: str,
) -> Step:  # fmt: skip
    """Gamma rates of mean mu -> Poisson samples."""
    shapes = full(shape, 1 / alpha, **options_of(dtype, device))
    return lambda: draw(scale(call(shapes), mu * alpha))
