"""PyTorch's linear algebra."""

from opperf.core.frameworks.implementation import native
from opperf.operators.linalg import linalg

TABLE = {
    linalg.Cholesky: native("torch.linalg.cholesky"),
    linalg.Inverse: native("torch.linalg.inv"),
    linalg.QR: native("torch.linalg.qr"),
    linalg.SVD: native("torch.linalg.svd", full_matrices=False),
}
