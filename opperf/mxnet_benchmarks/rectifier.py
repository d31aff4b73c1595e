"""MXNet's rectifiers."""

from opperf.core.implementation import native
from opperf.operators import rectifier

TABLE = {
    rectifier.Relu: native("mxnet.nd.relu"),
    rectifier.LeakyRelu: native("mxnet.nd.LeakyReLU", rename={"alpha": "slope"}, act_type="leaky"),
    rectifier.PRelu: native("mxnet.nd.LeakyReLU", act_type="prelu"),
    rectifier.Elu: native("mxnet.nd.LeakyReLU", rename={"alpha": "slope"}, act_type="elu"),
    rectifier.Selu: native("mxnet.nd.LeakyReLU", act_type="selu"),
}
