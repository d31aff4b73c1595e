"""MXNet's matrix products."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import Bound, built, native
from opperf.mxnet_benchmarks.interface import arrays_of, numpy_interface
from opperf.operators.gemm import chains as gemm_chains
from opperf.operators.gemm import contractions as gemm_contractions
from opperf.operators.gemm import gemm
from opperf.operators.gemm import kronecker as gemm_kronecker
from opperf.operators.gemm import scaled as gemm_scaled
from opperf.operators.gemm import transposed as gemm_transposed
from opperf.operators.gemm import vectors as gemm_vectors

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def dense(call: Callable[..., Any], data: Any, weight: Any, bias: Any) -> Step:
    """Bind."""
    return partial(call, data, weight, bias, num_hidden=weight.shape[0], flatten=False)


def einsum(call: Callable[..., Any], lhs: Any, rhs: Any) -> Bound:
    """Bind to arrays of the NumPy interface, the formula first."""
    arrays, leaves = arrays_of((lhs, rhs))
    return Bound(partial(call, gemm_contractions.SCORES, *arrays), leaves)


def vecdot(multiply: Callable[..., Any], add_up: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """Product -> sum of each row."""
    return lambda: add_up(multiply(lhs, rhs), axis=1)


def multi_dot(call: Callable[..., Any], first: Any, second: Any, third: Any) -> Step:
    """Product -> product, in the order that takes the fewest operations."""
    (a, b), (c, d) = first.shape, third.shape
    if a * c * (b + d) <= b * d * (a + c):
        return lambda: call(call(first, second), third)
    return lambda: call(first, call(second, third))


TABLE = {
    gemm.Dot: native("mxnet.nd.dot"),
    gemm.BatchDot: native("mxnet.nd.batch_dot"),
    gemm.Dense: built("mxnet.nd.FullyConnected", dense),
    gemm_vectors.VectorDot: numpy_interface("mxnet.np.dot"),
    gemm_vectors.VDot: numpy_interface("mxnet.np.vdot"),
    gemm_vectors.MatVec: numpy_interface("mxnet.np.dot"),
    gemm_vectors.Outer: numpy_interface("mxnet.np.outer"),
    gemm_contractions.Inner: numpy_interface("mxnet.np.inner"),
    gemm_contractions.TensorDot: numpy_interface("mxnet.np.tensordot", axes=2),
    gemm_contractions.Einsum: built("mxnet.np.einsum", einsum),
    gemm_contractions.MatMul: numpy_interface("mxnet.np.matmul"),
    gemm_scaled.Gemm: native("mxnet.nd.linalg.gemm"),
    gemm_scaled.BatchGemm: native("mxnet.nd.linalg.gemm"),
    gemm_scaled.Gemm2: native("mxnet.nd.linalg.gemm2", transpose_b=True),
    gemm_scaled.Syrk: native("mxnet.nd.linalg.syrk"),
    gemm_scaled.Trmm: native("mxnet.nd.linalg.trmm"),
    gemm_vectors.VecDot: built("mxnet.nd.multiply + mxnet.nd.sum", vecdot),
    gemm_chains.MultiDot: built("mxnet.nd.dot", multi_dot),
    gemm_kronecker.KhatriRao: native("mxnet.nd.khatri_rao"),
    gemm_transposed.DotLeftTransposed: native("mxnet.nd.dot", transpose_a=True),
    gemm_transposed.DotRightTransposed: native("mxnet.nd.dot", transpose_b=True),
}
