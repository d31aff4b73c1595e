"""MXNet's callables for the operators of activation, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.core.frameworks.limitation import BACKWARD, Limitation
from opperf.mxnet_benchmarks.binding.activation import (
    celu,
    glu,
    hard_shrink,
    hard_swish,
    hard_swish_in_place,
    leaky_in_place,
    relu6_in_place,
    soft_shrink,
    swish,
    swish_in_place,
    tanh_shrink,
)
from opperf.mxnet_benchmarks.binding.inplace import in_place
from opperf.mxnet_benchmarks.limits import SINGLE_PRECISION
from opperf.operators.activation import activation, inplace_activation, piecewise, rectifier

TABLE = {
    activation.Sigmoid: native("mxnet.nd.sigmoid"),
    activation.Tanh: native("mxnet.nd.tanh"),
    activation.Swish: built("mxnet.nd.sigmoid + mxnet.nd.multiply", swish),
    activation.GELU: native("mxnet.nd.LeakyReLU", act_type="gelu").limited(
        SINGLE_PRECISION,
    ),
    activation.Softplus: native("mxnet.nd.Activation", act_type="softrelu"),
    activation.Softsign: native("mxnet.nd.softsign"),
    activation.TanhShrink: built("mxnet.nd.tanh + mxnet.nd.subtract", tanh_shrink),
    activation.GLU: built("mxnet.nd.split + mxnet.nd.sigmoid + mxnet.nd.multiply", glu),
    inplace_activation.IReLU: built("mxnet.nd.relu", in_place),
    inplace_activation.ISigmoid: built("mxnet.nd.sigmoid", in_place),
    inplace_activation.ITanh: built("mxnet.nd.tanh", in_place),
    inplace_activation.IReLU6: built("mxnet.nd.clip", relu6_in_place),
    inplace_activation.ILeakyReLU: built("mxnet.nd.LeakyReLU", leaky_in_place).limited(
        SINGLE_PRECISION,
    ),
    inplace_activation.ISwish: built(
        "mxnet.nd.sigmoid + mxnet.nd.NDArray.__imul__", swish_in_place
    ),
    inplace_activation.IHardSwish: built(
        "mxnet.nd.hard_sigmoid + mxnet.nd.NDArray.__imul__", hard_swish_in_place
    ).limited(
        SINGLE_PRECISION,
    ),
    piecewise.HardSigmoid: native("mxnet.nd.hard_sigmoid", alpha=1 / 6, beta=0.5).limited(
        SINGLE_PRECISION,
    ),
    piecewise.HardSwish: built("mxnet.nd.hard_sigmoid + mxnet.nd.multiply", hard_swish).limited(
        SINGLE_PRECISION,
    ),
    piecewise.ReLU6: native("mxnet.nd.clip", a_min=0, a_max=6),
    piecewise.CELU: built("mxnet.nd.divide + mxnet.nd.LeakyReLU + mxnet.nd.multiply", celu),
    piecewise.HardShrink: built("mxnet.nd.abs + mxnet.nd.greater + mxnet.nd.multiply", hard_shrink),
    piecewise.SoftShrink: built("mxnet.nd.clip + mxnet.nd.subtract", soft_shrink),
    rectifier.ReLU: native("mxnet.nd.relu"),
    rectifier.LeakyReLU: native(
        "mxnet.nd.LeakyReLU", rename={"alpha": "slope"}, act_type="leaky"
    ).limited(
        SINGLE_PRECISION,
    ),
    rectifier.PReLU: native("mxnet.nd.LeakyReLU", act_type="prelu").limited(
        SINGLE_PRECISION,
    ),
    rectifier.ELU: native("mxnet.nd.LeakyReLU", rename={"alpha": "slope"}, act_type="elu"),
    # With y the output; at -4 the gradient has even the wrong sign.
    rectifier.SELU: native("mxnet.nd.LeakyReLU", act_type="selu").limited(
        SINGLE_PRECISION,
        Limitation(
            dtypes=("float32", "float16"),
            directions=BACKWARD,
            words="gradient by data is",
            note="below zero its gradient is scale (alpha + y), not y + scale alpha",
        ),
    ),
}
