"""MXNet's random operators."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Implementation, built, native
from opperf.mxnet_benchmarks.cast import element_type
from opperf.operators.random import choices as random_choices
from opperf.operators.random import counts as random_counts
from opperf.operators.random import densities as random_densities
from opperf.operators.random import distributions as random_distributions
from opperf.operators.random import like as random_like
from opperf.operators.random import parameters as random_parameters
from opperf.operators.random import random

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def sample(
    call: Callable[..., Any], *, shape: Any, dtype: str, device: str, **parameters: float
) -> Step:
    """Bind; the device is MXNet's current one."""
    del device
    return partial(call, *parameters.values(), shape, dtype=element_type(dtype))


def sample_numpy(
    call: Callable[..., Any], *, shape: Any, dtype: str, device: str, **parameters: float
) -> Step:
    """Bind; the NumPy interface calls the shape size, and draws in float32."""
    del dtype, device
    return partial(call, *parameters.values(), size=shape)


def sample_typed(
    call: Callable[..., Any], *, shape: Any, dtype: str, device: str, **parameters: float
) -> Step:
    """Bind likewise, with the dtype."""
    del device
    return partial(call, *parameters.values(), size=shape, dtype=dtype)


def bernoulli(
    call: Callable[..., Any], *, prob: float, shape: Any, dtype: str, device: str
) -> Step:
    """Bind; a logit could be asked for instead of the probability."""
    del device
    return partial(call, prob, None, shape, dtype)


def whole_numbers(
    call: Callable[..., Any], *, low: int, high: int, shape: Any, dtype: str, device: str
) -> Step:
    """Bind, with int64."""
    del dtype, device
    return partial(call, low, high, shape, dtype="int64")


def rows(call: Callable[..., Any], *parameters: Any, count: int) -> Step:
    """Bind; samples come in the parameters' dtype."""
    return partial(call, *parameters, shape=count, dtype=parameters[0].dtype)


def sampling(name: str) -> Implementation:
    """Return the samples of a distribution."""
    return built(f"mxnet.nd.random.{name}", sample)


def numpy_sampling(name: str) -> Implementation:
    """Return the samples that the NumPy interface draws."""
    return built(f"mxnet.np.random.{name}", sample_numpy)


def row_sampling(name: str) -> Implementation:
    """Return the samples whose parameters are tensors."""
    return built(f"mxnet.nd.sample_{name}", rows)


def density(name: str) -> Implementation:
    """Return the density of a distribution."""
    return native(f"mxnet.nd.random_pdf_{name}")


TABLE = {
    random.NormalRandom: built("mxnet.nd.random.normal", sample),
    random.UniformRandom: built("mxnet.nd.random.uniform", sample),
    random.Shuffle: native("mxnet.nd.random.shuffle"),
    random_distributions.ExponentialRandom: sampling("exponential"),
    random_distributions.GammaRandom: sampling("gamma"),
    random_counts.PoissonRandom: sampling("poisson"),
    random_counts.NegativeBinomialRandom: sampling("negative_binomial"),
    random_counts.GeneralizedNegativeBinomialRandom: sampling("generalized_negative_binomial"),
    random_counts.BernoulliRandom: built("mxnet.npx.random.bernoulli", bernoulli),
    random_counts.RandInt: built("mxnet.nd.random.randint", whole_numbers),
    random_distributions.GumbelRandom: numpy_sampling("gumbel"),
    random_distributions.LogisticRandom: numpy_sampling("logistic"),
    random_distributions.ParetoRandom: numpy_sampling("pareto"),
    random_distributions.WeibullRandom: numpy_sampling("weibull"),
    random_distributions.RayleighRandom: numpy_sampling("rayleigh"),
    random_distributions.LogNormalRandom: built("mxnet.np.random.lognormal", sample_typed),
    random_parameters.SampleUniform: row_sampling("uniform"),
    random_parameters.SampleNormal: row_sampling("normal"),
    random_parameters.SampleGamma: row_sampling("gamma"),
    random_parameters.SampleExponential: row_sampling("exponential"),
    random_parameters.SamplePoisson: row_sampling("poisson"),
    random_parameters.SampleNegativeBinomial: row_sampling("negative_binomial"),
    random_parameters.SampleGeneralizedNegativeBinomial: row_sampling(
        "generalized_negative_binomial"
    ),
    random_choices.Multinomial: native("mxnet.nd.random.multinomial", rename={"count": "shape"}),
    random_like.NormalLike: native("mxnet.nd.random.normal_like"),
    random_like.UniformLike: native("mxnet.nd.random.uniform_like"),
    random_densities.UniformDensity: density("uniform"),
    random_densities.NormalDensity: density("normal"),
    random_densities.GammaDensity: density("gamma"),
    random_densities.ExponentialDensity: density("exponential"),
    random_densities.PoissonDensity: density("poisson"),
    random_densities.NegativeBinomialDensity: density("negative_binomial"),
    random_densities.GeneralizedNegativeBinomialDensity: density("generalized_negative_binomial"),
    random_densities.DirichletDensity: density("dirichlet"),
}
