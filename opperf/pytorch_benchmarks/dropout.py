"""PyTorch's dropout."""

from opperf.core.frameworks.implementation import native
from opperf.operators.random import dropout, dropout_variants

TABLE = {
    dropout.Dropout: native("torch.nn.functional.dropout"),
    dropout_variants.Dropout2D: native("torch.nn.functional.dropout2d"),
    dropout_variants.Dropout3D: native("torch.nn.functional.dropout3d"),
    dropout_variants.AlphaDropout: native("torch.nn.functional.alpha_dropout"),
}
