"""PyTorch's softmax family."""

from opperf.core.implementation import native
from opperf.operators import softmax

TABLE = {
    softmax.Softmax: native("torch.softmax", rename={"axis": "dim"}),
    softmax.LogSoftmax: native("torch.log_softmax", rename={"axis": "dim"}),
}
