"""PyTorch's poolings."""

from opperf.core.implementation import Implementation, native
from opperf.operators import pooling, pooling_whole


def pooling_of(name: str) -> Implementation:
    """Return the pooling of windows of this name."""
    return native(f"torch.nn.functional.{name}", rename={"kernel": "kernel_size"})


def whole_pooling_of(name: str) -> Implementation:
    """Return the adaptive pooling of this name, to one value a channel."""
    return native(f"torch.nn.functional.{name}", output_size=1)


TABLE = {
    pooling.MaxPool1D: pooling_of("max_pool1d"),
    pooling.MaxPool2D: pooling_of("max_pool2d"),
    pooling.MaxPool3D: pooling_of("max_pool3d"),
    pooling.AvgPool1D: pooling_of("avg_pool1d"),
    pooling.AvgPool2D: pooling_of("avg_pool2d"),
    pooling.AvgPool3D: pooling_of("avg_pool3d"),
    pooling_whole.GlobalMaxPool1D: whole_pooling_of("adaptive_max_pool1d"),
    pooling_whole.GlobalMaxPool2D: whole_pooling_of("adaptive_max_pool2d"),
    pooling_whole.GlobalAvgPool1D: whole_pooling_of("adaptive_avg_pool1d"),
    pooling_whole.GlobalAvgPool2D: whole_pooling_of("adaptive_avg_pool2d"),
    pooling_whole.AdaptiveAvgPool2D: native("torch.nn.functional.adaptive_avg_pool2d"),
}
