"""PyTorch's dropout."""

from opperf.core.framework import native
from opperf.operators import dropout

TABLE = {
    dropout.Dropout: native("torch.nn.functional.dropout"),
}
