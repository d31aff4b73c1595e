"""Networks of Gluon's model zoo, by name: `model_zoo:resnet18_v1`."""

from __future__ import annotations

from contextlib import redirect_stdout
from io import StringIO
from typing import Any

from mxnet import nd
from mxnet.gluon.model_zoo import vision

from opperf.core.errors import UsageError, error_text, unknown
from opperf.networks.discovery import LIBRARIES
from opperf.networks.mxnet.model import Model

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
        # Some of its layers would else take their shape from the first batch. What MXNet prints of
        # a size that does not fit stands in its error too.
        with redirect_stdout(StringIO()):
            self.network.infer_shape(nd.zeros((1, self.channels, self.size, self.size)))

    def hybrid_forward(self, F: Any, data: Any) -> Any:  # noqa: ARG002, N803 - Gluon's
        """Return the scores of each class."""
        return self.network(data)


def make_library_model(name: str, size: int | None = None) -> ZooModel:
    """Return a new model of a library by a name such as `model_zoo:resnet18_v1`.

    Raises:
        UsageError: there is none, or it does not work with images of this size.
    """
    library, _, inside = name.partition(":")
    if library not in LIBRARIES["mxnet"]:
        raise UsageError(unknown("library of mxnet's models", library, LIBRARIES["mxnet"]))
    usual = LARGER_SIZE if inside.startswith(LARGER) else None
    try:
        return ZooModel(inside, size=size or usual)
    except UsageError:
        raise
    except Exception as error:
        given = "" if size is None else f" of size {size}"
        raise UsageError(f"model {name!r}{given} cannot be made: {error_text(error)}") from error
