"""PyTorch's optimizer updates."""

from opperf.core.framework import native
from opperf.operators import optimizer

TABLE = {
    optimizer.SGDUpdate: native("torch.Tensor.sub_", rename={"lr": "alpha"}),
}
