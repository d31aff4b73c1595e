"""MXNet's callables for the operators of random, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.core.frameworks.limitation import Limitation
from opperf.mxnet_benchmarks.binding.random import (
    bernoulli,
    bernoulli_in_place,
    channels,
    density,
    drop,
    numpy_sampling,
    row_sampling,
    sample,
    sample_typed,
    sampling,
    whole_numbers,
)
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

NO_BFLOAT16 = Limitation(dtypes=("bfloat16",), words="Invalid Input: 'bfloat16'")

TABLE = {
    choices.Multinomial: native("mxnet.nd.random.multinomial", rename={"count": "shape"}),
    counts.PoissonRandom: sampling("poisson"),
    counts.BernoulliRandom: built("mxnet.npx.random.bernoulli", bernoulli),
    counts.RandInt: built("mxnet.nd.random.randint", whole_numbers),
    counts.NegativeBinomialRandom: sampling("negative_binomial"),
    counts.GeneralizedNegativeBinomialRandom: sampling("generalized_negative_binomial"),
    densities.UniformDensity: density("uniform"),
    densities.NormalDensity: density("normal").limited(
        Limitation(
            dtypes=("float64",),
            words="of the scale, allowed 1e-09",
            note="its root of 2 pi has the precision of float32",
        ),
    ),
    densities.GammaDensity: density("gamma"),
    densities.ExponentialDensity: density("exponential"),
    densities.PoissonDensity: density("poisson"),
    densities.NegativeBinomialDensity: density("negative_binomial"),
    densities.GeneralizedNegativeBinomialDensity: density("generalized_negative_binomial"),
    densities.DirichletDensity: density("dirichlet"),
    distributions.ExponentialRandom: sampling("exponential"),
    distributions.GammaRandom: sampling("gamma"),
    distributions.GumbelRandom: numpy_sampling("gumbel"),
    distributions.LogisticRandom: numpy_sampling("logistic"),
    distributions.ParetoRandom: numpy_sampling("pareto"),
    distributions.RayleighRandom: numpy_sampling("rayleigh"),
    distributions.WeibullRandom: numpy_sampling("weibull"),
    distributions.LogNormalRandom: built("mxnet.np.random.lognormal", sample_typed),
    # Dropout: inference copies; 1 / (1 - p) is float32 in every dtype.
    dropout.Dropout: built("mxnet.nd.Dropout", drop),
    dropout_variants.Dropout2D: channels(2),
    dropout_variants.Dropout3D: channels(3),
    like.NormalLike: native("mxnet.nd.random.normal_like"),
    like.UniformLike: native("mxnet.nd.random.uniform_like"),
    like.IBernoulli: built("mxnet.npx.random.bernoulli", bernoulli_in_place),
    parameters.SampleUniform: row_sampling("uniform"),
    parameters.SampleNormal: row_sampling("normal"),
    parameters.SampleGamma: row_sampling("gamma"),
    parameters.SampleExponential: row_sampling("exponential"),
    parameters.SamplePoisson: row_sampling("poisson"),
    parameters.SampleNegativeBinomial: row_sampling("negative_binomial"),
    parameters.SampleGeneralizedNegativeBinomial: row_sampling("generalized_negative_binomial"),
    random.NormalRandom: built("mxnet.nd.random.normal", sample).limited(
        NO_BFLOAT16,
    ),
    random.UniformRandom: built("mxnet.nd.random.uniform", sample).limited(
        NO_BFLOAT16,
    ),
    # Shuffle: there is no gradient.
    random.Shuffle: native("mxnet.nd.random.shuffle"),
}
