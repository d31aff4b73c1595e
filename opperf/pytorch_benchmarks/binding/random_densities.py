"""PyTorch's densities: exp of torch.distributions' logarithms, without a check of arguments."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, built

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def as_they_are(*parameters: Any) -> tuple[Any, ...]:
    """Return the parameters in torch's order."""
    return parameters


def of_failures(k: Any, p: Any) -> tuple[Any, Any]:
    """Return the count of what ends it, and the probability of what is counted."""
    return k, 1 - p


def of_dispersion(mu: Any, alpha: Any) -> tuple[Any, Any]:
    """Return the same by mean and dispersion."""
    return 1 / alpha, 1 - 1 / (mu * alpha + 1)


def density(
    make: Callable[..., Any], exp: Callable[..., Any], sample: Any, *parameters: Any,
    order: Callable[..., Any],
) -> Step:  # fmt: skip
    """Distributions, one a row -> log_prob -> exp."""

    def composition() -> Any:
        rows = order(*(parameter[:, None] for parameter in parameters))
        return exp(make(*rows, validate_args=False).log_prob(sample))

    return composition


def density_of(name: str, order: Callable[..., Any] = as_they_are) -> Implementation:
    """Return the density of torch's distribution of this name."""
    return built(f"torch.distributions.{name} + torch.exp", partial(density, order=order))
