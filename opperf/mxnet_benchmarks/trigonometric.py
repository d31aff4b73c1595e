"""MXNet's trigonometric functions."""

from opperf.core.frameworks.implementation import native
from opperf.mxnet_benchmarks.interface import numpy_interface
from opperf.operators.trigonometric import hyperbolic, trigonometric

TABLE = {
    trigonometric.Sin: native("mxnet.nd.sin"),
    trigonometric.Cos: native("mxnet.nd.cos"),
    trigonometric.Tan: native("mxnet.nd.tan"),
    trigonometric.ArcSin: native("mxnet.nd.arcsin"),
    trigonometric.ArcCos: native("mxnet.nd.arccos"),
    trigonometric.ArcTan: native("mxnet.nd.arctan"),
    trigonometric.ArcTan2: numpy_interface("mxnet.np.arctan2"),
    trigonometric.Hypot: native("mxnet.nd.broadcast_hypot"),
    trigonometric.Radians: native("mxnet.nd.radians"),
    trigonometric.Degrees: native("mxnet.nd.degrees"),
    hyperbolic.Sinh: native("mxnet.nd.sinh"),
    hyperbolic.Cosh: native("mxnet.nd.cosh"),
    hyperbolic.ArcSinh: native("mxnet.nd.arcsinh"),
    hyperbolic.ArcCosh: native("mxnet.nd.arccosh"),
    hyperbolic.ArcTanh: native("mxnet.nd.arctanh"),
}
