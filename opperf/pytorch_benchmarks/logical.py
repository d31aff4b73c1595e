"""PyTorch's logic."""

from opperf.core.implementation import native
from opperf.operators import logical

TABLE = {
    logical.LogicalAnd: native("torch.logical_and"),
    logical.LogicalOr: native("torch.logical_or"),
    logical.LogicalXor: native("torch.logical_xor"),
    logical.LogicalNot: native("torch.logical_not"),
}
