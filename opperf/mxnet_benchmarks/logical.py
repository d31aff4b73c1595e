"""MXNet's logic."""

from opperf.core.frameworks.implementation import native
from opperf.mxnet_benchmarks.interface import numpy_interface
from opperf.operators.logical import bitwise, finiteness, logical

TABLE = {
    logical.LogicalAnd: native("mxnet.nd.logical_and"),
    logical.LogicalOr: native("mxnet.nd.logical_or"),
    logical.LogicalXor: native("mxnet.nd.logical_xor"),
    logical.LogicalNot: native("mxnet.nd.logical_not"),
    bitwise.BitwiseAnd: numpy_interface("mxnet.np.bitwise_and"),
    bitwise.BitwiseOr: numpy_interface("mxnet.np.bitwise_or"),
    bitwise.BitwiseXor: numpy_interface("mxnet.np.bitwise_xor"),
    bitwise.BitwiseNot: numpy_interface("mxnet.np.bitwise_not"),
    finiteness.IsNaN: numpy_interface("mxnet.np.isnan"),
    finiteness.IsInf: numpy_interface("mxnet.np.isinf"),
    finiteness.IsFinite: numpy_interface("mxnet.np.isfinite"),
    finiteness.IsPosInf: numpy_interface("mxnet.np.isposinf"),
    finiteness.IsNegInf: numpy_interface("mxnet.np.isneginf"),
    finiteness.NanToNum: numpy_interface("mxnet.np.nan_to_num"),
    finiteness.AllFinite: native("mxnet.nd.all_finite"),
    finiteness.MultiAllFinite: native("mxnet.nd.multi_all_finite", num_arrays=3),
}
