"""PyTorch's densities: exp(log_prob) of torch.distributions, without checking arguments."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, built

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def as_they_are(*parameters: Any) -> tuple[Any, ...]:
    """Return the parameters in PyTorch's order."""
    return parameters


def of_failures(k: Any, p: Any) -> tuple[Any, Any]:
    """Return the number of successes, and the probability of a failure."""
    return k, 1 - p


def of_dispersion(mu: Any, alpha: Any) -> tuple[Any, Any]:
    """Return the number of successes and the probability of a failure, by mean and dispersion."""
    return 1 / alpha, 1 - 1 / (mu * alpha + 1)


def density(
    make: Callable[..., Any], exp: Callable[..., Any], sample: Any, *parameters: Any,
    order: Callable[..., Any],
) -> Step:  # fmt: skip
    """Distributions by rows -> log_prob -> exp."""

    def composition() -> Any:
        rows = order(*(parameter[:, None] for parameter in parameters))
        return exp(make(*rows, validate_args=False).log_prob(sample))

    return composition


def density_of(name: str, order: Callable[..., Any] = as_they_are) -> Implementation:
    """Return the density of PyTorch's distribution of this name."""
    return built(f"torch.distributions.{name} + torch.exp", partial(density, order=order))
