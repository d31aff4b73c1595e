"""PyTorch's callables for the operators of resize, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.resize import resize, sampling, upsampling
from opperf.pytorch_benchmarks.binding.resize import (
    INTERPOLATE,
    affine_grid,
    grid_sample,
    interpolation,
    spatial_transformer,
    upsample_and_concat,
)

TABLE = {
    resize.ResizeBilinear: interpolation("bilinear", align_corners=True),
    # ResizeBilinearCenters: PyTorch's default.
    resize.ResizeBilinearCenters: interpolation("bilinear", align_corners=False),
    resize.ResizeBilinearAntialias: interpolation("bilinear", antialias=True),
    resize.ResizeBicubic: interpolation("bicubic"),
    resize.ResizeLinear: interpolation("linear"),
    resize.ResizeTrilinear: interpolation("trilinear"),
    sampling.GridSample: built("torch.nn.functional.grid_sample", grid_sample),
    sampling.AffineGrid: built("torch.nn.functional.affine_grid + torch.permute", affine_grid),
    sampling.SpatialTransformer: built(
        "torch.nn.functional.affine_grid + torch.nn.functional.grid_sample", spatial_transformer
    ),
    upsampling.UpSamplingNearest: native(INTERPOLATE, rename={"scale": "scale_factor"}),
    upsampling.UpSamplingMulti: built(f"{INTERPOLATE} + torch.cat", upsample_and_concat),
}
