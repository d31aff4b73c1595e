"""MXNet's callables for the operators of image, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.mxnet_benchmarks.binding.image import crop
from opperf.operators import image

TABLE = {
    image.ImageNormalize: native("mxnet.nd.image.normalize", mean=image.MEAN, std=image.DEVIATION),
    image.ImageToTensor: native("mxnet.nd.image.to_tensor"),
    image.ImageCrop: built("mxnet.nd.image.crop", crop),
    image.ImageLighting: native("mxnet.nd.image.adjust_lighting", alpha=image.ALPHA),
}
