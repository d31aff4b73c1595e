"""PyTorch's callables for the operators of sparse, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built
from opperf.operators import sparse
from opperf.pytorch_benchmarks.binding.sparse import (
    both_sparse,
    coordinates,
    count,
    first_sparse,
    norm,
    to_sparse,
    transpose_dot,
)

TABLE = {
    sparse.SparseDot: built("torch.sparse.mm", first_sparse),
    sparse.SparseDotTransposed: built("torch.sparse.mm", transpose_dot),
    sparse.CooDot: built("torch.sparse.mm", coordinates),
    sparse.SparseMatVec: built("torch.mv", first_sparse),
    sparse.SparseAdd: built("torch.add", both_sparse),
    sparse.ToSparse: built("torch.Tensor.to_sparse_csr", to_sparse),
    sparse.SparseNorm: built("torch.linalg.vector_norm", norm),
    sparse.GetNNZ: built("torch.Tensor._nnz + torch.tensor", count),
}
