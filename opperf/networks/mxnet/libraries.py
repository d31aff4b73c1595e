"""Networks of Gluon's model zoo, by name: `model_zoo:resnet18_v1`."""

from __future__ import annotations

from typing import Any

from mxnet import nd
from mxnet.gluon.model_zoo import vision

from opperf.core.errors import UsageError, unknown
from opperf.networks.mxnet.model import Model

ZOO = "model_zoo"
LARGER, LARGER_SIZE = "inception", 299
"""What networks are named that take larger images, and how large those are."""


class ZooModel(Model):
    """A classifier of images from the model zoo, with random weights."""

    def __init__(self, name: str, **given: Any) -> None:
        super().__init__(**given)
        try:
            self.network = vision.get_model(name)
        except ValueError as error:  # lists the names
            names = str(error).split("\n\t")[1:]
            raise UsageError(unknown("model of the zoo", name, names)) from None
        self.network.infer_shape(nd.zeros((1, 3, self.size, self.size)))

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: ARG002, N803 - Gluon's
        """Return the scores of each class."""
        return self.network(data)


def make_library_model(name: str, size: int | None = None) -> Model:
    """Return the network that a name such as `model_zoo:resnet18_v1` says."""
    library, _, inside = name.partition(":")
    if library != ZOO:
        raise UsageError(unknown("library of MXNet networks", library, [ZOO]))
    default = LARGER_SIZE if inside.startswith(LARGER) else None
    return ZooModel(inside, size=size or default)
