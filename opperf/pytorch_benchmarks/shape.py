"""PyTorch's changes of shape."""

from opperf.core.implementation import native
from opperf.operators import shape

TABLE = {
    shape.Transpose: native("torch.permute_copy", rename={"axes": "dims"}),
    shape.Reshape: native("torch.reshape"),
    shape.Flatten: native("torch.flatten", start_dim=1),
}
