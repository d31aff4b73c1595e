"""ONNX Runtime behind the framework protocol; its tensors are NumPy's arrays."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.errors import UnsupportedError, UsageError, unknown
from opperf.core.frameworks.device import Device
from opperf.core.frameworks.framework import Framework
from opperf.onnxruntime_benchmarks.table import TABLE

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array

QUIET = 3
"""Errors only: its warnings are no rows of a table."""


class OnnxRuntime(Framework):
    """Graphs of ONNX on the CPU, an operator as a graph of one node; inference only."""

    name = "onnxruntime"
    prefix = "OR"
    module = "onnxruntime"
    extra = "onnx"
    directions = ("forward",)
    model_formats = MappingProxyType({"onnx": "opperf.onnxruntime_benchmarks.model:load"})
    missing_form = r"NOT_IMPLEMENTED|Type Error: Type"
    table = TABLE
    threads = 1

    @cached_property
    def runtime(self) -> Any:
        """The framework's module, imported when first used."""
        return import_module("onnxruntime")

    def is_installed(self) -> bool:
        """Return whether it and what writes its graphs could be imported."""
        return find_spec("onnxruntime") is not None and find_spec("onnx") is not None

    def load(self, threads: int) -> None:
        """Import it; each session gets the thread count."""
        _ = self.runtime
        self.threads = threads

    def session(self, model: bytes, **settings: str) -> Any:
        """Return what runs a model, given as the bytes of its file."""
        options = self.runtime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.log_severity_level = QUIET
        for name, value in settings.items():
            options.add_session_config_entry(f"session.{name}", value)
        return self.runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def facts(self) -> dict[str, object]:
        """Return its version, build and thread count."""
        return {
            "name": self.name,
            "version": self.runtime.__version__,
            "build": self.runtime.get_build_info(),
            "threads": self.threads,
        }

    def device(self, name: str) -> Device:
        """Return the CPU."""
        if name != "cpu":
            raise UsageError(unknown("device", name, ["cpu"], " for onnxruntime"))
        return Device(beside=self.threads > 1)

    def tensor(self, array: Array, dtype: str, device: str, *, differentiable: bool) -> Array:
        """Return a copy of the array."""
        del device, differentiable
        if dtype == "bfloat16":
            raise UnsupportedError("onnxruntime takes NumPy's arrays, which have no bfloat16")
        return array.astype(dtype)

    def array(self, tensor: Array) -> Array:
        """Return the array itself."""
        return np.asarray(tensor)

    def assign(self, target: Array, source: Array) -> None:
        """Copy the values over."""
        np.copyto(target, source)

    def inference(self) -> AbstractContextManager[object]:
        """Return no context: nothing is ever recorded."""
        return nullcontext()
