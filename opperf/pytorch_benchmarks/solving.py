"""PyTorch's linear systems, spectra and batches of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.implementation import built, native
from opperf.operators import batches, solving, spectra, tensors

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def first_of(call: Callable[..., Any], *tensors: Any) -> Step:
    """Compose: of several results the first is kept."""

    def composition() -> Any:
        return call(*tensors)[0]

    return composition


TABLE = {
    solving.Solve: native("torch.linalg.solve"),
    solving.TriangularSolve: native("torch.linalg.solve_triangular", upper=False),
    solving.CholeskySolve: native("torch.cholesky_solve"),
    solving.CholeskyInverse: native("torch.cholesky_inverse"),
    solving.LU: built("torch.linalg.lu_factor", first_of),
    solving.LUSolve: native("torch.linalg.lu_solve"),
    spectra.EigH: native("torch.linalg.eigh"),
    spectra.EigValsH: native("torch.linalg.eigvalsh"),
    spectra.Pinv: native("torch.linalg.pinv"),
    spectra.LeastSquares: built("torch.linalg.lstsq", first_of),
    spectra.MatrixExp: native("torch.linalg.matrix_exp"),
    tensors.Trace: native("torch.trace"),
    tensors.TensorInv: native("torch.linalg.tensorinv"),
    tensors.TensorSolve: native("torch.linalg.tensorsolve"),
    batches.Determinant: native("torch.linalg.det"),
    batches.SLogDet: native("torch.linalg.slogdet"),
    batches.MatrixNorm: native("torch.linalg.matrix_norm"),
    batches.MatrixPower: native("torch.linalg.matrix_power"),
}
