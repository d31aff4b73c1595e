"""MXNet's callables for the operators of trigonometric, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import native
from opperf.mxnet_benchmarks.binding.interface import numpy_interface
from opperf.mxnet_benchmarks.limits import SINGLE_PRECISION, bfloat16_as_integer
from opperf.operators.trigonometric import hyperbolic, trigonometric

TABLE = {
    hyperbolic.Sinh: native("mxnet.nd.sinh"),
    hyperbolic.Cosh: native("mxnet.nd.cosh"),
    hyperbolic.ArcSinh: native("mxnet.nd.arcsinh"),
    hyperbolic.ArcCosh: native("mxnet.nd.arccosh"),
    hyperbolic.ArcTanh: native("mxnet.nd.arctanh"),
    trigonometric.Sin: native("mxnet.nd.sin"),
    trigonometric.Cos: native("mxnet.nd.cos"),
    trigonometric.Tan: native("mxnet.nd.tan"),
    trigonometric.ArcSin: native("mxnet.nd.arcsin"),
    trigonometric.ArcCos: native("mxnet.nd.arccos"),
    trigonometric.ArcTan: native("mxnet.nd.arctan"),
    trigonometric.ArcTan2: numpy_interface("mxnet.np.arctan2").limited(
        bfloat16_as_integer("Do not support `int` as input"),
    ),
    trigonometric.Hypot: native("mxnet.nd.broadcast_hypot"),
    trigonometric.Radians: native("mxnet.nd.radians").limited(
        SINGLE_PRECISION,
    ),
    trigonometric.Degrees: native("mxnet.nd.degrees").limited(
        SINGLE_PRECISION,
    ),
}
