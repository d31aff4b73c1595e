"""MXNet's callables for the operators of scan, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built
from opperf.core.frameworks.limitation import along_axis, rounded_sums
from opperf.mxnet_benchmarks.binding.interface import numpy_interface
from opperf.mxnet_benchmarks.binding.scan import cumulative_sum
from opperf.operators.scan import differences, scan

TABLE = {
    differences.Diff: numpy_interface("mxnet.np.diff"),
    differences.EDiff1D: numpy_interface("mxnet.np.ediff1d"),
    scan.CumSum: built("mxnet.nd.cumsum", cumulative_sum).limited(
        rounded_sums("float16", along_axis(1024)),
        rounded_sums("bfloat16", along_axis(16)),
    ),
}
