"""MXNet's callables for the operators of gemm, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.core.frameworks.limitation import BACKWARD, Limitation
from opperf.mxnet_benchmarks.binding.gemm import einsum, fully_connected, multi_dot, vecdot
from opperf.mxnet_benchmarks.binding.interface import numpy_interface
from opperf.operators.gemm import chains, contractions, gemm, kronecker, scaled, transposed, vectors

TABLE = {
    chains.MultiDot: built("mxnet.nd.dot", multi_dot),
    contractions.Inner: numpy_interface("mxnet.np.inner"),
    contractions.TensorDot: numpy_interface("mxnet.np.tensordot", axes=2),
    contractions.Einsum: built("mxnet.np.einsum", einsum),
    contractions.MatMul: numpy_interface("mxnet.np.matmul"),
    gemm.Dot: native("mxnet.nd.dot"),
    gemm.BatchDot: native("mxnet.nd.batch_dot"),
    gemm.Dense: built("mxnet.nd.FullyConnected", fully_connected),
    kronecker.KhatriRao: native("mxnet.nd.khatri_rao").limited(
        Limitation(
            directions=BACKWARD,
            words="is non-differentiable because it didn't register FGradient",
        ),
    ),
    # Attributes are held in float32; linalg computes in float64 and float32 only.
    scaled.Gemm: native("mxnet.nd.linalg.gemm"),
    scaled.BatchGemm: native("mxnet.nd.linalg.gemm"),
    scaled.Gemm2: native("mxnet.nd.linalg.gemm2", transpose_b=True),
    scaled.Syrk: native("mxnet.nd.linalg.syrk"),
    scaled.Trmm: native("mxnet.nd.linalg.trmm"),
    transposed.DotLeftTransposed: native("mxnet.nd.dot", transpose_a=True),
    transposed.DotRightTransposed: native("mxnet.nd.dot", transpose_b=True),
    vectors.VectorDot: numpy_interface("mxnet.np.dot"),
    vectors.VDot: numpy_interface("mxnet.np.vdot"),
    vectors.MatVec: numpy_interface("mxnet.np.dot"),
    vectors.Outer: numpy_interface("mxnet.np.outer"),
    vectors.VecDot: built("mxnet.nd.multiply + mxnet.nd.sum", vecdot),
}
