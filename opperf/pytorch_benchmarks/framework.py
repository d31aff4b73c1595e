"""PyTorch behind the framework protocol; importing this module does not import torch."""

from __future__ import annotations

import os
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.device import Device
from opperf.core.errors import UsageError
from opperf.core.framework import Framework
from opperf.core.implementation import collect_tables
from opperf.core.workload import DIRECTIONS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from opperf.core.device import Step
    from opperf.core.tensor import Array


class PyTorch(Framework):
    """Eager PyTorch; backward by torch.autograd.grad, without accumulation into `.grad`."""

    name = "pytorch"
    prefix = "PT"
    module = "torch"
    extra = "pytorch"
    directions = DIRECTIONS
    missing_form = (
        r"not implemented for '|only Tensors of floating point|expected .* floating.point"
        r"|must be (a )?floating|not supported for|only supports? |does not support"
    )

    def __init__(self) -> None:
        """Collect this package's tables, which name callables and import nothing."""
        package = __name__.rpartition(".")[0]
        self.table = collect_tables(package, str(Path(__file__).parent), but=("framework", "nd"))

    @cached_property
    def torch(self) -> Any:
        """The framework's module, imported when first used."""
        return import_module("torch")

    def environment(self, threads: int) -> dict[str, str]:
        """Return the thread settings; compilation stays in the measured process."""
        return {
            "OMP_NUM_THREADS": str(threads),
            "MKL_NUM_THREADS": str(threads),
            "TORCHINDUCTOR_COMPILE_THREADS": "1",
        }

    def load(self, threads: int) -> None:
        """Import torch and set its thread count."""
        os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
        self.torch.set_num_threads(threads)

    def facts(self) -> dict[str, object]:
        """Return version, build and threads."""
        return {
            "name": self.name,
            "version": self.torch.__version__,
            "build": " ".join(self.torch.__config__.show().split()),
            "threads": self.torch.get_num_threads(),
        }

    def device(self, name: str) -> Device:
        """Return the CPU; the CUDA path is not built yet."""
        if name == "cpu":
            return Device()
        count = self.torch.cuda.device_count()
        found = f"{count} CUDA devices found" if count else "no CUDA device found"
        raise UsageError(f"device {name!r}: {found}, and pytorch is measured on: cpu")

    def tensor(self, array: Array, dtype: str, device: str, *, differentiable: bool) -> Any:
        """Return a tensor that owns a copy of the values."""
        kind = getattr(self.torch, dtype)
        tensor = self.torch.tensor(array, dtype=kind, device=device)
        return tensor.requires_grad_(differentiable and tensor.is_floating_point())

    def array(self, tensor: Any) -> Array:
        """Return the values; bfloat16 as the float32 that holds it exactly."""
        tensor = tensor.detach().cpu()
        if tensor.dtype == self.torch.bfloat16:
            tensor = tensor.float()
        return np.asarray(tensor.numpy())

    def assign(self, target: Any, source: Any) -> None:
        """Copy the values over."""
        target.copy_(source)

    def inference(self) -> AbstractContextManager[object]:
        """Return no_grad: what a deployed model runs under."""
        context: AbstractContextManager[object] = self.torch.no_grad()
        return context

    def recording(self) -> AbstractContextManager[object]:
        """Return the context of training."""
        context: AbstractContextManager[object] = self.torch.enable_grad()
        return context

    def backward(self, outputs: Sequence[Any], leaves: Sequence[Any], seeds: Sequence[Any]) -> Step:
        """Return the step that differentiates these outputs; their graph serves once."""
        return partial(self.torch.autograd.grad, outputs, leaves, seeds)

    def gradients(
        self, outputs: Sequence[Any], leaves: Sequence[Any], seeds: Sequence[Any]
    ) -> Sequence[Any]:
        """Return the gradient by each leaf."""
        found: Sequence[Any] = self.torch.autograd.grad(outputs, leaves, seeds)
        return found

    def seed(self, seed: int) -> None:
        """Set torch's seed."""
        self.torch.manual_seed(seed)
