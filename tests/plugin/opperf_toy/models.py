"""The toy framework's models: a matrix in a file, by which an input is multiplied."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.frameworks.models import LoadedModel, ModelFiles
from opperf_toy import engine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.frameworks.device import Step


def load(framework: object, model: ModelFiles, device: str) -> LoadedModel:
    """Return the model of a matrix; `scale` is an option of it."""
    del framework, device
    model.check_options("scale")
    weights = np.load(model.file("weights"), allow_pickle=False)
    weights = weights * model.option("scale", int, 1)

    def make_step(tensors: Sequence[Any]) -> Step:
        return partial(multiply, tensors[0], weights)

    return LoadedModel(inputs=("data",), outputs=("out",), make_step=make_step)


def multiply(data: engine.Tensor, weights: np.ndarray[Any, Any]) -> engine.Tensor:
    """Return the product as a tensor."""
    return engine.Tensor(data.values @ weights)
