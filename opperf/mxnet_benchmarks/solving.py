"""MXNet's linear systems, spectra and batches of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.interface import numpy_interface
from opperf.operators.linalg import batches, diagonals, nonsymmetric, solving, spectra, tensors

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def eigen(factor: Callable[..., Any], transpose: Callable[..., Any], data: Any) -> Step:
    """Compose: MXNet returns the vectors first, and as rows."""

    def composition() -> Any:
        vectors, values = factor(data)
        return values, transpose(vectors)

    return composition


def cholesky_solve(call: Callable[..., Any], rhs: Any, factor: Any) -> Step:
    """Two triangular systems, of the factor and of its transpose."""
    return lambda: call(factor, call(factor, rhs), transpose=True)


TABLE = {
    solving.Solve: numpy_interface("mxnet.np.linalg.solve"),
    solving.TriangularSolve: native("mxnet.nd.linalg.trsm"),
    solving.CholeskySolve: built("mxnet.nd.linalg.trsm", cholesky_solve),
    solving.CholeskyInverse: native("mxnet.nd.linalg.potri"),
    nonsymmetric.EigVals: numpy_interface("mxnet.np.linalg.eigvals"),
    nonsymmetric.Eig: numpy_interface("mxnet.np.linalg.eig"),
    spectra.EigH: built("mxnet.nd.linalg.syevd + mxnet.nd.transpose", eigen),
    spectra.EigValsH: numpy_interface("mxnet.np.linalg.eigvalsh"),
    spectra.Pinv: numpy_interface("mxnet.np.linalg.pinv"),
    tensors.Trace: numpy_interface("mxnet.np.trace"),
    tensors.TensorInv: numpy_interface("mxnet.np.linalg.tensorinv"),
    tensors.TensorSolve: numpy_interface("mxnet.np.linalg.tensorsolve"),
    batches.Determinant: native("mxnet.nd.linalg.det"),
    batches.SLogDet: native("mxnet.nd.linalg.slogdet"),
    batches.MatrixNorm: native("mxnet.nd.norm", ord=2, axis=(1, 2)),
    batches.SumLogDiag: native("mxnet.nd.linalg.sumlogdiag"),
    diagonals.ExtractDiag: native("mxnet.nd.linalg.extractdiag"),
    diagonals.ExtractTrian: native("mxnet.nd.linalg.extracttrian"),
    diagonals.MakeDiag: native("mxnet.nd.linalg.makediag"),
    diagonals.MakeTrian: native("mxnet.nd.linalg.maketrian"),
}
