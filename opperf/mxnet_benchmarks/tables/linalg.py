"""MXNet's callables for the operators of linalg, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.core.frameworks.limitation import BACKWARD, Limitation
from opperf.mxnet_benchmarks.binding.interface import numpy_interface
from opperf.mxnet_benchmarks.binding.linalg import cholesky_solve, eigen, qr, svd
from opperf.mxnet_benchmarks.limits import no_gradient
from opperf.operators.linalg import (
    batches,
    diagonals,
    linalg,
    nonsymmetric,
    solving,
    spectra,
    tensors,
)

TABLE = {
    batches.Determinant: native("mxnet.nd.linalg.det"),
    batches.SLogDet: native("mxnet.nd.linalg.slogdet"),
    batches.MatrixNorm: native("mxnet.nd.norm", ord=2, axis=(1, 2)),
    batches.SumLogDiag: native("mxnet.nd.linalg.sumlogdiag"),
    diagonals.ExtractDiag: native("mxnet.nd.linalg.extractdiag"),
    diagonals.ExtractTrian: native("mxnet.nd.linalg.extracttrian"),
    diagonals.MakeDiag: native("mxnet.nd.linalg.makediag"),
    diagonals.MakeTrian: native("mxnet.nd.linalg.maketrian"),
    linalg.Cholesky: native("mxnet.nd.linalg.potrf"),
    linalg.Inverse: native("mxnet.nd.linalg.inverse"),
    linalg.QR: built("mxnet.nd.linalg.gelqf + mxnet.nd.transpose", qr),
    linalg.SVD: built("mxnet.np.linalg.svd", svd),
    # EigVals: the real parts only, and no gradient.
    nonsymmetric.EigVals: numpy_interface("mxnet.np.linalg.eigvals"),
    nonsymmetric.Eig: numpy_interface("mxnet.np.linalg.eig"),
    solving.Solve: numpy_interface("mxnet.np.linalg.solve"),
    solving.TriangularSolve: native("mxnet.nd.linalg.trsm"),
    solving.CholeskySolve: built("mxnet.nd.linalg.trsm", cholesky_solve).limited(
        Limitation(
            directions=BACKWARD,
            words="gradient by factor is",
            note="of two systems with one factor it returns a gradient that is not their sum",
        ),
    ),
    # CholeskyInverse: the gradient is the factor's lower triangle only.
    solving.CholeskyInverse: native("mxnet.nd.linalg.potri"),
    spectra.EigH: built("mxnet.nd.linalg.syevd + mxnet.nd.transpose", eigen),
    spectra.EigValsH: numpy_interface("mxnet.np.linalg.eigvalsh").limited(
        no_gradient("data"),
    ),
    spectra.Pinv: numpy_interface("mxnet.np.linalg.pinv").limited(
        no_gradient("data"),
    ),
    tensors.Trace: numpy_interface("mxnet.np.trace"),
    tensors.TensorInv: numpy_interface("mxnet.np.linalg.tensorinv"),
    tensors.TensorSolve: numpy_interface("mxnet.np.linalg.tensorsolve"),
}
