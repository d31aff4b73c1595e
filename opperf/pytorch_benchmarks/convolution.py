"""PyTorch's convolutions."""

from opperf.core.framework import native
from opperf.operators import convolution

TABLE = {
    convolution.Conv2D: native("torch.nn.functional.conv2d"),
}
