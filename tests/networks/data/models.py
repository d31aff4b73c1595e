"""What a loader needs of a network, for both frameworks."""

from __future__ import annotations

from typing import Any

import numpy as np

from opperf.networks.data.request import DataRequest
from tests.networks.data.datasets import CLASSES, SIZE

FRAMEWORKS = ("pytorch", "mxnet")


class ImageModel:
    """Takes images of three channels."""

    classes = CLASSES
    tensor = staticmethod(np.asarray)

    def example(self, batch: int, generator: np.random.Generator) -> Any:
        """Return images and labels."""
        images = generator.random((batch, 3, SIZE, SIZE), np.float32)
        return (images,), generator.integers(CLASSES, size=batch)


class TokenModel(ImageModel):
    """Takes tokens and a mask."""

    def example(self, batch: int, generator: np.random.Generator) -> Any:
        """Return two inputs and labels."""
        tokens = generator.integers(100, size=(batch, SIZE))
        return (tokens, np.ones_like(tokens)), tokens


def model_for(framework: str) -> ImageModel:
    """Return a network whose tensors are a framework's."""
    model = ImageModel()
    if framework == "pytorch":
        import torch

        model.tensor = torch.from_numpy
    else:
        from opperf.mxnet_benchmarks.alias import import_mxnet

        import_mxnet()
        model.tensor = mxnet_tensor
    return model


def mxnet_tensor(array: Any) -> Any:
    """Return an array as MXNet's; whole numbers as float32."""
    from mxnet import nd

    return nd.array(array, dtype=np.float32 if array.dtype.kind in "iu" else array.dtype)


def numpy_of(tensor: Any) -> Any:
    """Return a tensor's values."""
    return tensor.asnumpy() if hasattr(tensor, "asnumpy") else tensor.numpy()


def request_for(folder: Any, backend: str = "image_folder", **options: Any) -> DataRequest:
    """Return a request for a folder's data, loaded without processes."""
    return DataRequest(data_dir=str(folder), backend=backend, **({"threads": 0} | options))
