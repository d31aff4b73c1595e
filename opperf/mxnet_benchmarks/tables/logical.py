"""MXNet's callables for the operators of logical, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.binding.inplace import in_place
from opperf.mxnet_benchmarks.binding.interface import numpy_interface
from opperf.mxnet_benchmarks.limits import bfloat16_as_integer
from opperf.operators.logical import bitwise, finiteness, logical

WHOLE_NUMBERS = bfloat16_as_integer("where the reference is")

TABLE = {
    bitwise.BitwiseAnd: numpy_interface("mxnet.np.bitwise_and"),
    bitwise.BitwiseOr: numpy_interface("mxnet.np.bitwise_or"),
    bitwise.BitwiseXor: numpy_interface("mxnet.np.bitwise_xor"),
    bitwise.BitwiseNot: numpy_interface("mxnet.np.bitwise_not"),
    finiteness.IsNaN: numpy_interface("mxnet.np.isnan").limited(
        WHOLE_NUMBERS,
    ),
    finiteness.IsInf: numpy_interface("mxnet.np.isinf").limited(
        WHOLE_NUMBERS,
    ),
    finiteness.IsFinite: numpy_interface("mxnet.np.isfinite").limited(
        WHOLE_NUMBERS,
    ),
    finiteness.IsPosInf: numpy_interface("mxnet.np.isposinf").limited(
        WHOLE_NUMBERS,
    ),
    finiteness.IsNegInf: numpy_interface("mxnet.np.isneginf").limited(
        WHOLE_NUMBERS,
    ),
    finiteness.NanToNum: numpy_interface("mxnet.np.nan_to_num").limited(
        bfloat16_as_integer("output 0 is NaN", "forward", "forward_recorded"),
        bfloat16_as_integer("is_float(in_data.type_flag_)", "backward", "forward_backward"),
    ),
    finiteness.AllFinite: native("mxnet.nd.all_finite"),
    finiteness.MultiAllFinite: native("mxnet.nd.multi_all_finite", num_arrays=3),
    logical.LogicalAnd: native("mxnet.nd.logical_and"),
    logical.ILogicalAnd: built("mxnet.nd.broadcast_logical_and", in_place),
    logical.LogicalOr: native("mxnet.nd.logical_or"),
    logical.LogicalXor: native("mxnet.nd.logical_xor"),
    logical.LogicalNot: native("mxnet.nd.logical_not"),
}
