"""PyTorch's callables for the operators of linalg, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.linalg import (
    batches,
    correlations,
    diagonals,
    distances,
    linalg,
    lu,
    nonsymmetric,
    reflections,
    solving,
    spectra,
    tensors,
)
from opperf.pytorch_benchmarks.binding.linalg import (
    extract_triangles,
    first_of,
    make_triangles,
    real_pairs,
    real_parts,
    sum_of_logs,
)

TABLE = {
    batches.Determinant: native("torch.linalg.det"),
    batches.SLogDet: native("torch.linalg.slogdet"),
    batches.MatrixNorm: native("torch.linalg.matrix_norm"),
    batches.SumLogDiag: built("torch.diagonal + torch.log + torch.sum", sum_of_logs),
    batches.MatrixPower: native("torch.linalg.matrix_power"),
    correlations.Cov: native("torch.cov"),
    correlations.CorrCoef: native("torch.corrcoef"),
    diagonals.ExtractDiag: native("torch.diagonal_copy", dim1=1, dim2=2),
    diagonals.ExtractTrian: built("torch.Tensor.__getitem__", extract_triangles),
    diagonals.MakeDiag: native("torch.diag_embed", dim1=1, dim2=2),
    diagonals.MakeTrian: built("torch.zeros + torch.Tensor.index_put_", make_triangles),
    distances.CDist: native("torch.cdist"),
    distances.CosineSimilarity: native("torch.cosine_similarity"),
    distances.Cross: native("torch.linalg.cross"),
    distances.PDist: native("torch.pdist"),
    linalg.Cholesky: native("torch.linalg.cholesky"),
    linalg.Inverse: native("torch.linalg.inv"),
    linalg.QR: native("torch.linalg.qr"),
    linalg.SVD: native("torch.linalg.svd", full_matrices=False),
    lu.LUSolve: native("torch.linalg.lu_solve"),
    # LU: finds the pivots as well.
    lu.LU: built("torch.linalg.lu_factor", first_of),
    # EigVals: the real parts of complex eigenvalues.
    nonsymmetric.EigVals: built("torch.linalg.eigvals", real_parts),
    nonsymmetric.Eig: built("torch.linalg.eig", real_pairs),
    reflections.MatrixRank: native("torch.linalg.matrix_rank"),
    reflections.ConditionNumber: native("torch.linalg.cond"),
    reflections.HouseholderProduct: native("torch.linalg.householder_product"),
    reflections.Vander: native("torch.linalg.vander", rename={"count": "N"}),
    solving.Solve: native("torch.linalg.solve"),
    # TriangularSolve: the gradient relies on zeros above the triangle.
    solving.TriangularSolve: native("torch.linalg.solve_triangular", upper=False),
    solving.CholeskySolve: native("torch.cholesky_solve"),
    # CholeskyInverse: the gradient is that of the product.
    solving.CholeskyInverse: native("torch.cholesky_inverse"),
    spectra.EigH: native("torch.linalg.eigh"),
    spectra.EigValsH: native("torch.linalg.eigvalsh"),
    spectra.Pinv: native("torch.linalg.pinv"),
    spectra.LeastSquares: built("torch.linalg.lstsq", first_of),
    spectra.MatrixExp: native("torch.linalg.matrix_exp"),
    tensors.Trace: native("torch.trace"),
    tensors.TensorInv: native("torch.linalg.tensorinv"),
    tensors.TensorSolve: native("torch.linalg.tensorsolve"),
}
