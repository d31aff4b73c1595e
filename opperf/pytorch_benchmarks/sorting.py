"""PyTorch's sorting and searching."""

from opperf.core.framework import native
from opperf.operators import sorting

TABLE = {
    sorting.TopK: native("torch.topk", dim=-1, largest=True, sorted=True),
}
