"""PyTorch's linear systems, spectra and batches of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.linalg import (
    batches,
    correlations,
    distances,
    lu,
    nonsymmetric,
    reflections,
    solving,
    spectra,
    tensors,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def first_of(call: Callable[..., Any], *tensors: Any) -> Step:
    """Compose: of several results the first is kept."""

    def composition() -> Any:
        return call(*tensors)[0]

    return composition


def real_parts(call: Callable[..., Any], data: Any) -> Step:
    """Compose: the real parts are a view."""

    def composition() -> Any:
        return call(data).real

    return composition


def real_pairs(call: Callable[..., Any], data: Any) -> Step:
    """Compose likewise, of values and vectors."""

    def composition() -> Any:
        values, vectors = call(data)
        return values.real, vectors.real

    return composition


TABLE = {
    solving.Solve: native("torch.linalg.solve"),
    solving.TriangularSolve: native("torch.linalg.solve_triangular", upper=False),
    solving.CholeskySolve: native("torch.cholesky_solve"),
    solving.CholeskyInverse: native("torch.cholesky_inverse"),
    lu.LU: built("torch.linalg.lu_factor", first_of),
    lu.LUSolve: native("torch.linalg.lu_solve"),
    nonsymmetric.EigVals: built("torch.linalg.eigvals", real_parts),
    nonsymmetric.Eig: built("torch.linalg.eig", real_pairs),
    spectra.EigH: native("torch.linalg.eigh"),
    spectra.EigValsH: native("torch.linalg.eigvalsh"),
    spectra.Pinv: native("torch.linalg.pinv"),
    spectra.LeastSquares: built("torch.linalg.lstsq", first_of),
    spectra.MatrixExp: native("torch.linalg.matrix_exp"),
    tensors.Trace: native("torch.trace"),
    tensors.TensorInv: native("torch.linalg.tensorinv"),
    tensors.TensorSolve: native("torch.linalg.tensorsolve"),
    distances.CDist: native("torch.cdist"),
    distances.PDist: native("torch.pdist"),
    distances.CosineSimilarity: native("torch.cosine_similarity"),
    distances.Cross: native("torch.linalg.cross"),
    correlations.Cov: native("torch.cov"),
    correlations.CorrCoef: native("torch.corrcoef"),
    reflections.MatrixRank: native("torch.linalg.matrix_rank"),
    reflections.ConditionNumber: native("torch.linalg.cond"),
    reflections.HouseholderProduct: native("torch.linalg.householder_product"),
    reflections.Vander: native("torch.linalg.vander", rename={"count": "N"}),
    batches.Determinant: native("torch.linalg.det"),
    batches.SLogDet: native("torch.linalg.slogdet"),
    batches.MatrixNorm: native("torch.linalg.matrix_norm"),
    batches.MatrixPower: native("torch.linalg.matrix_power"),
}
