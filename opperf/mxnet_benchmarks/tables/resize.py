"""MXNet's callables for the operators of resize, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.core.frameworks.limitation import Limitation
from opperf.mxnet_benchmarks.binding.resize import resizing, upsample_and_concat
from opperf.operators.resize import resize, sampling, upsampling

FLOAT32_POSITIONS = Limitation(
    dtypes=("float64",),
    words="of the scale, allowed 1e-09",
    note="it computes positions in float32, whatever the dtype",
)

TABLE = {
    resize.ResizeBilinear: resizing(corners=True).limited(
        FLOAT32_POSITIONS,
    ),
    resize.ResizeBilinearCenters: resizing(corners=False).limited(
        FLOAT32_POSITIONS,
    ),
    sampling.GridSample: native("mxnet.nd.BilinearSampler"),
    sampling.AffineGrid: native("mxnet.nd.GridGenerator", transform_type="affine").limited(
        Limitation(dtypes=("float64",), words="Other DTypes are not supported"),
    ),
    sampling.SpatialTransformer: native(
        "mxnet.nd.SpatialTransformer", transform_type="affine", sampler_type="bilinear"
    ),
    upsampling.UpSamplingNearest: native("mxnet.nd.UpSampling", sample_type="nearest", num_args=1),
    upsampling.UpSamplingMulti: built("mxnet.nd.UpSampling", upsample_and_concat),
}
