"""MXNet's callables for the operators of softmax, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.core.frameworks.limitation import BACKWARD, FORWARD, along_axis
from opperf.mxnet_benchmarks.binding.softmax import masked_softmax
from opperf.mxnet_benchmarks.limits import SOFTMAX_SUMS, unsafe_sums
from opperf.operators.softmax import layouts, softmax

TABLE = {
    layouts.SoftmaxChannels: native("mxnet.nd.softmax").limited(
        *SOFTMAX_SUMS,
    ),
    softmax.Softmax: native("mxnet.nd.softmax").limited(
        *SOFTMAX_SUMS,
    ),
    softmax.LogSoftmax: native("mxnet.nd.log_softmax").limited(
        unsafe_sums(along_axis(4096), FORWARD),
        unsafe_sums(along_axis(256), BACKWARD),
    ),
    softmax.Softmin: native("mxnet.nd.softmin").limited(
        *SOFTMAX_SUMS,
    ),
    softmax.SoftmaxTemperature: native("mxnet.nd.softmax").limited(
        *SOFTMAX_SUMS,
    ),
    softmax.MaskedSoftmax: built("mxnet.nd.where + mxnet.nd.softmax", masked_softmax).limited(
        *SOFTMAX_SUMS,
    ),
    # SoftmaxActivation: the older operator, on the second axis only.
    softmax.SoftmaxActivation: native("mxnet.nd.SoftmaxActivation", mode="channel"),
}
