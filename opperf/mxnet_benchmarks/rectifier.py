"""MXNet's rectifiers."""

from opperf.core.frameworks.implementation import native
from opperf.operators import piecewise, rectifier

TABLE = {
    rectifier.Relu: native("mxnet.nd.relu"),
    rectifier.LeakyRelu: native("mxnet.nd.LeakyReLU", rename={"alpha": "slope"}, act_type="leaky"),
    rectifier.PRelu: native("mxnet.nd.LeakyReLU", act_type="prelu"),
    rectifier.Elu: native("mxnet.nd.LeakyReLU", rename={"alpha": "slope"}, act_type="elu"),
    rectifier.Selu: native("mxnet.nd.LeakyReLU", act_type="selu"),
    piecewise.HardSigmoid: native("mxnet.nd.hard_sigmoid", alpha=1 / 6, beta=0.5),
    piecewise.Relu6: native("mxnet.nd.clip", a_min=0, a_max=6),
}
