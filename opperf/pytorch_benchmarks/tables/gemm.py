"""PyTorch's callables for the operators of gemm, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.gemm import (
    chains,
    contractions,
    gemm,
    kronecker,
    scaled,
    sums,
    transposed,
    vectors,
)
from opperf.pytorch_benchmarks.binding.gemm import (
    bias_first,
    einsum,
    gemm2,
    khatri_rao,
    multi_dot,
    syrk,
    transpose_lhs,
    transpose_rhs,
    trmm,
)

TABLE = {
    chains.Bilinear: native("torch.nn.functional.bilinear"),
    chains.MultiDot: built("torch.linalg.multi_dot", multi_dot),
    contractions.Inner: native("torch.inner"),
    contractions.TensorDot: native("torch.tensordot", dims=2),
    contractions.Einsum: built("torch.einsum", einsum),
    contractions.MatMul: native("torch.matmul"),
    gemm.Dot: native("torch.mm"),
    gemm.BatchDot: native("torch.bmm"),
    gemm.Dense: native("torch.nn.functional.linear"),
    kronecker.Kron: native("torch.kron"),
    kronecker.KhatriRao: built("torch.mul + torch.flatten", khatri_rao),
    scaled.Gemm: built("torch.addmm", bias_first),
    scaled.BatchGemm: built("torch.baddbmm", bias_first),
    scaled.Gemm2: built("torch.baddbmm", gemm2),
    scaled.Syrk: built("torch.addmm", syrk),
    scaled.Trmm: built("torch.tril + torch.addmm", trmm),
    sums.AddMatVec: native("torch.addmv"),
    sums.AddOuter: native("torch.addr"),
    sums.AddBatchDot: native("torch.addbmm"),
    transposed.DotLeftTransposed: built("torch.mm", transpose_lhs),
    transposed.DotRightTransposed: built("torch.mm", transpose_rhs),
    vectors.VectorDot: native("torch.dot"),
    vectors.VDot: native("torch.vdot"),
    vectors.MatVec: native("torch.mv"),
    vectors.Outer: native("torch.outer"),
    vectors.VecDot: native("torch.linalg.vecdot"),
}
