"""MXNet's callables for the operators of creation, and their limitations."""

from __future__ import annotations

from functools import partial

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.binding.creation import create, fill
from opperf.mxnet_benchmarks.binding.interface import numpy_interface
from opperf.mxnet_benchmarks.limits import SINGLE_PRECISION
from opperf.operators.creation import creation, filling, ranges

TABLE = {
    creation.Zeros: built("mxnet.nd.zeros", create),
    creation.Ones: built("mxnet.nd.ones", create),
    creation.ZerosLike: native("mxnet.nd.zeros_like"),
    creation.OnesLike: native("mxnet.nd.ones_like"),
    creation.Full: built("mxnet.nd.full", create),
    creation.Arange: built("mxnet.nd.arange", create),
    filling.FullLike: numpy_interface("mxnet.np.full_like", rename={"value": "fill_value"}),
    filling.Fill: built("mxnet.nd.NDArray.__setitem__", fill),
    filling.Zero: built("mxnet.nd.NDArray.__setitem__", partial(fill, value=0.0)),
    filling.MultiZero: native("mxnet.nd.reset_arrays", num_arrays=3),
    ranges.LinSpace: built("mxnet.nd.linspace", create),
    ranges.LogSpace: built("mxnet.np.logspace", create),
    ranges.Eye: built("mxnet.nd.eye", create),
    ranges.Blackman: built("mxnet.np.blackman", create).limited(
        SINGLE_PRECISION,
    ),
    ranges.Hamming: built("mxnet.np.hamming", create).limited(
        SINGLE_PRECISION,
    ),
    ranges.Hanning: built("mxnet.np.hanning", create).limited(
        SINGLE_PRECISION,
    ),
}
