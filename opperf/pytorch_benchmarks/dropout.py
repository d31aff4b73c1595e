"""PyTorch's dropout."""

from opperf.core.implementation import native
from opperf.operators import dropout

TABLE = {
    dropout.Dropout: native("torch.nn.functional.dropout"),
}
