"""PyTorch's callables for the operators of random, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.random import (
    choices,
    counts,
    densities,
    distributions,
    dropout,
    dropout_variants,
    like,
    parameters,
    random,
)
from opperf.pytorch_benchmarks.binding.random import (
    by_tensor,
    exponential,
    filling,
    gamma,
    normal,
    shuffle,
    uniform,
    whole_numbers,
)
from opperf.pytorch_benchmarks.binding.random_densities import (
    density_of,
    of_dispersion,
    of_failures,
)
from opperf.pytorch_benchmarks.binding.random_parameters import (
    by_rows,
    exponential_rows,
    gamma_rows,
    generalized_rows,
    negative_binomial_rows,
    uniform_rows,
)
from opperf.pytorch_benchmarks.binding.random_transformed import (
    generalized_negative_binomial,
    gumbel,
    logistic,
    negative_binomial,
    pareto,
    rayleigh,
    weibull,
)

BINOMIAL = "torch._standard_gamma + torch.Tensor.mul_ + torch.poisson + torch.full"
EXPONENTIAL = "torch.empty + torch.Tensor.exponential_"
GAMMA = "torch._standard_gamma + torch.Tensor.mul_"

TABLE = {
    choices.Multinomial: native(
        "torch.multinomial", rename={"count": "num_samples"}, replacement=True
    ),
    counts.PoissonRandom: built("torch.poisson + torch.full", by_tensor),
    counts.BernoulliRandom: built("torch.bernoulli + torch.full", by_tensor),
    counts.RandInt: built("torch.randint", whole_numbers),
    counts.NegativeBinomialRandom: built(BINOMIAL, negative_binomial),
    counts.GeneralizedNegativeBinomialRandom: built(BINOMIAL, generalized_negative_binomial),
    counts.GeometricRandom: filling("geometric"),
    densities.UniformDensity: density_of("Uniform"),
    densities.NormalDensity: density_of("Normal"),
    densities.GammaDensity: density_of("Gamma"),
    densities.ExponentialDensity: density_of("Exponential"),
    densities.PoissonDensity: density_of("Poisson"),
    densities.NegativeBinomialDensity: density_of("NegativeBinomial", of_failures),
    densities.GeneralizedNegativeBinomialDensity: density_of("NegativeBinomial", of_dispersion),
    densities.DirichletDensity: density_of("Dirichlet"),
    distributions.ExponentialRandom: built("torch.empty + torch.Tensor.exponential_", exponential),
    distributions.GammaRandom: built(
        "torch._standard_gamma + torch.Tensor.mul_ + torch.full", gamma
    ),
    distributions.GumbelRandom: built(f"{EXPONENTIAL} + torch.Tensor.log_ + torch.add", gumbel),
    distributions.LogisticRandom: built("torch.rand + torch.Tensor.logit_ + torch.add", logistic),
    distributions.ParetoRandom: built(f"{EXPONENTIAL} + torch.Tensor.expm1_", pareto),
    distributions.RayleighRandom: built(f"{EXPONENTIAL} + torch.Tensor.sqrt_", rayleigh),
    distributions.WeibullRandom: built(f"{EXPONENTIAL} + torch.Tensor.pow_", weibull),
    distributions.LogNormalRandom: filling("log_normal"),
    distributions.CauchyRandom: filling("cauchy"),
    # Dropout: inference returns its input.
    dropout.Dropout: native("torch.nn.functional.dropout"),
    dropout_variants.Dropout2D: native("torch.nn.functional.dropout2d"),
    dropout_variants.Dropout3D: native("torch.nn.functional.dropout3d"),
    dropout_variants.AlphaDropout: native("torch.nn.functional.alpha_dropout"),
    like.NormalLike: native("torch.randn_like"),
    like.UniformLike: native("torch.rand_like"),
    like.IBernoulli: native("torch.Tensor.bernoulli_", rename={"prob": "p"}),
    parameters.SampleUniform: built("torch.rand + torch.lerp", uniform_rows),
    parameters.SampleNormal: built("torch.normal", by_rows),
    parameters.SampleGamma: built(GAMMA, gamma_rows),
    parameters.SampleExponential: built(
        "torch.empty + torch.Tensor.exponential_ + torch.Tensor.div_", exponential_rows
    ),
    parameters.SamplePoisson: built("torch.poisson", by_rows),
    parameters.SampleNegativeBinomial: built(f"{GAMMA} + torch.poisson", negative_binomial_rows),
    parameters.SampleGeneralizedNegativeBinomial: built(
        f"{GAMMA} + torch.poisson", generalized_rows
    ),
    random.NormalRandom: built("torch.normal", normal),
    random.UniformRandom: built("torch.empty + torch.Tensor.uniform_", uniform),
    random.Shuffle: built("torch.randperm + torch.index_select", shuffle),
}
