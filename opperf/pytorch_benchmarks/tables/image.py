"""PyTorch's callables for the operators of image, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built
from opperf.operators import image
from opperf.pytorch_benchmarks.binding.image import crop, lighting, normalize, to_tensor

TABLE = {
    image.ImageNormalize: built("torch.sub + torch.div", normalize),
    image.ImageToTensor: built("torch.permute + torch.Tensor.contiguous + torch.div", to_tensor),
    image.ImageCrop: built("torch.Tensor.__getitem__ + torch.Tensor.contiguous", crop),
    image.ImageLighting: built("torch.add", lighting),
}
