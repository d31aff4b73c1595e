"""The toy framework behind opperf's protocol, found by the entry point `opperf.frameworks`."""

from __future__ import annotations

import os
import time
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.errors import UnsupportedError, UsageError, unknown
from opperf.core.frameworks.device import Device
from opperf.core.frameworks.framework import Framework
from opperf.core.frameworks.workload import DIRECTIONS
from opperf_toy import engine

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from opperf.core.frameworks.device import Step
    from opperf.core.tensors.tensor import Array


class Toy(Framework):
    """Measures all four directions; its implementations come with its operators."""

    name = "toy"
    prefix = "TOY"
    module = "opperf_toy"
    extra = "toy"
    directions = DIRECTIONS
    model_formats = MappingProxyType({"matrix": "opperf_toy.models:load"})

    def load(self, threads: int) -> None:
        """Make the file that TOY_LOADING names and never end, but where it is there already."""
        del threads
        path = os.environ.get("TOY_LOADING")
        if path and not Path(path).exists():
            Path(path).touch()
            while True:
                time.sleep(60)

    def facts(self) -> dict[str, object]:
        """Return the version; there are no threads to set."""
        return {"name": self.name, "version": engine.__version__, "build": None, "threads": None}

    def device(self, name: str) -> Device:
        """Return the CPU."""
        if name != "cpu":
            raise UsageError(unknown("device", name, ["cpu"], " for toy"))
        return Device()

    def tensor(
        self, array: Array, dtype: str, device: str, *, differentiable: bool
    ) -> engine.Tensor:
        """Return a tensor with a copy of the values."""
        del device, differentiable
        if dtype == "bfloat16":
            raise UnsupportedError("toy has no bfloat16")
        return engine.Tensor(array.copy())

    def array(self, tensor: Any) -> Array:
        """Return a tensor's values."""
        return np.asarray(tensor.values)

    def assign(self, target: Any, source: Any) -> None:
        """Copy the values over."""
        np.copyto(target.values, source.values)

    def inference(self) -> AbstractContextManager[object]:
        """Switch the tape off."""
        return engine.recording(on=False)

    def recording(self) -> AbstractContextManager[object]:
        """Switch the tape on."""
        return engine.recording(on=True)

    def backward(
        self, outputs: Sequence[Any], leaves: Sequence[Any], cotangents: Sequence[Any]
    ) -> Step:
        """Return the step that goes back along the tape."""
        return partial(engine.gradients, outputs, leaves, cotangents)

    def gradients(
        self, outputs: Sequence[Any], leaves: Sequence[Any], cotangents: Sequence[Any]
    ) -> Sequence[Any]:
        """Return the gradient by each leaf."""
        return engine.gradients(outputs, leaves, cotangents)


FRAMEWORK = Toy()
