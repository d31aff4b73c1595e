"""PyTorch behind the framework protocol; importing this module does not import torch."""

from __future__ import annotations

import os
from functools import cached_property, partial
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from opperf.core.frameworks.device import Device
from opperf.core.frameworks.framework import Framework
from opperf.core.frameworks.implementation import collect_tables
from opperf.core.frameworks.workload import DIRECTIONS
from opperf.core.tensors.tensor import TRANSPOSED
from opperf.pytorch_benchmarks import kernels, loading, memory, onednn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from opperf.core.frameworks.calling import Calling
    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.observation import Observation, OperatorTimes
    from opperf.core.frameworks.workload import Work
    from opperf.core.memory.span import Span, Watch
    from opperf.core.tensors.tensor import Array
    from opperf.pytorch_benchmarks.cuda import Gpu

WHOLE_PAGES = MappingProxyType({"THP_MEM_ALLOC_ENABLE": "1"})
"""Tensors from 2 MiB on begin at a page. Else glibc keeps what it cuts off at a tensor's end for
small blocks, and whether the next output fits where the last one was is left to chance."""


class PyTorch(Framework):
    """Eager PyTorch; backward by torch.autograd.grad, without accumulation into `.grad`."""

    name = "pytorch"
    prefix = "PT"
    module = "torch"
    extra = "pytorch"
    directions = DIRECTIONS
    placing = WHOLE_PAGES
    requirements = onednn.REQUIREMENTS
    model_formats = loading.FORMATS
    missing_form = (
        r"not implemented for '|only Tensors of floating point|expected .* floating.point"
        r"|must be (a )?floating|not supported for|only supports? |does not support"
    )

    def __init__(self) -> None:
        """Collect this package's tables, which name callables and import nothing."""
        self.table = collect_tables(__name__.rpartition(".")[0])
        self.gpus: dict[str, Gpu] = {}

    @cached_property
    def calling(self) -> Calling:
        """ATen's operators."""
        from opperf.pytorch_benchmarks.calling.aten import aten

        return aten()

    @cached_property
    def torch(self) -> Any:
        """The framework's module, imported when first used.

        The first backward of a process loads SymPy, half a second long: that is no operator's time.
        """
        torch = import_module("torch")
        data = torch.ones(1, requires_grad=True)
        torch.autograd.grad(data * 1, data, torch.ones(1))
        return torch

    def environment(self, threads: int) -> dict[str, str]:
        """Return the thread settings; compilation stays in the measured process."""
        return {
            "OMP_NUM_THREADS": str(threads),
            "MKL_NUM_THREADS": str(threads),
            "TORCHINDUCTOR_COMPILE_THREADS": "1",
        }

    def load(self, threads: int) -> None:
        """Import torch and set its thread count."""
        from opperf.pytorch_benchmarks.compiler import cache_settings

        os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
        for name, value in cache_settings(os.environ).items():
            os.environ.setdefault(name, value)
        self.torch.set_num_threads(threads)

    def load_compiler(self) -> None:
        """Load what torch.compile needs, several seconds long."""
        from opperf.pytorch_benchmarks.compiler import load

        load(self.torch)

    def compile_operators(self) -> PyTorch:
        """Return PyTorch with each operator by torch.compile."""
        from opperf.pytorch_benchmarks.binding.compiling import compile_operators

        return compile_operators(self)

    def shortage(self, requires: str) -> str | None:
        """Say why its oneDNN may not use a level of instruction sets here."""
        return onednn.BUILD.shortage(requires)

    def facts(self) -> dict[str, object]:
        """Return version, build, threads, CUDA's switches, and the instruction sets it may use."""
        from opperf.pytorch_benchmarks.cuda.settings import settings

        return {
            "name": self.name,
            "version": self.torch.__version__,
            "build": " ".join(self.torch.__config__.show().split()),
            "threads": self.torch.get_num_threads(),
            "settings": settings(self.torch),
            "instruction_sets": {
                "ATen": self.torch.backends.cpu.get_cpu_capability(),
                "oneDNN": onednn.BUILD.level(),
            },
        }

    def device(self, name: str) -> Device:
        """Return the CPU, or the GPU of this name, which becomes CUDA's current one."""
        if name != "cpu":
            return self.gpu(name).device
        return Device(beside=self.torch.get_num_threads() > 1)

    def gpu(self, name: str) -> Gpu:
        """Return the GPU of this name, the same each time, as the current one."""
        from opperf.pytorch_benchmarks.cuda import find_gpu
        from opperf.pytorch_benchmarks.cuda.settings import forbid_tf32

        if name in self.gpus:
            self.torch.cuda.set_device(self.gpus[name].index)
        else:
            self.gpus[name] = find_gpu(self.torch, name)
            forbid_tf32(self.torch)
        return self.gpus[name]

    def tune(self, work: Work) -> Work:
        """Re-tune a work on a GPU; one on the CPU is unchanged."""
        gpu = self.gpus.get(work.device.name)
        return gpu.tune(work) if gpu else work

    def observe(self, work: Work, seconds: float) -> Observation:
        """Return what a GPU tells."""
        gpu = self.gpus.get(work.device.name)
        return gpu.observe(work, seconds) if gpu else super().observe(work, seconds)

    def tensor(self, array: Array, dtype: str, device: str, *, differentiable: bool) -> Any:
        """Return a tensor that owns a copy of the values."""
        kind = getattr(self.torch, dtype)
        tensor = self.torch.tensor(array, dtype=kind, device=device)
        return tensor.requires_grad_(differentiable and tensor.is_floating_point())

    def lay_out(self, tensor: Any, layout: str) -> Any:
        """Return the tensor with other strides, and as much of a leaf as it was."""
        stored = tensor.detach()
        if layout == TRANSPOSED:
            stored = stored.mT.contiguous().mT
        else:
            stored = stored.to(memory_format=getattr(self.torch, layout))
        return stored.requires_grad_(tensor.requires_grad)

    def array(self, tensor: Any) -> Array:
        """Return the values; bfloat16 as the float32 that holds it exactly, zeros stored or not.

        Of a quantized tensor they are its whole numbers.
        """
        tensor = tensor.detach().cpu()
        if tensor.is_quantized:
            tensor = tensor.int_repr()
        if tensor.layout != self.torch.strided:
            tensor = tensor.to_dense()
        if tensor.dtype == self.torch.bfloat16:
            tensor = tensor.float()
        return np.asarray(tensor.numpy())

    def dtype(self, tensor: Any) -> str:
        """Return the name of the element type; of a quantized tensor, that of its whole numbers."""
        name = str(tensor.dtype).removeprefix("torch.")
        return name.removeprefix("q") if tensor.is_quantized else name

    def assign(self, target: Any, source: Any) -> None:
        """Copy the values over."""
        target.copy_(source)

    def inference(self) -> AbstractContextManager[object]:
        """Return no_grad: what a deployed model runs under."""
        return cast("AbstractContextManager[object]", self.torch.no_grad())

    def recording(self) -> AbstractContextManager[object]:
        """Return the context of training."""
        context: AbstractContextManager[object] = self.torch.enable_grad()
        return context

    def backward(
        self, outputs: Sequence[Any], leaves: Sequence[Any], cotangents: Sequence[Any]
    ) -> Step:
        """Return the step that differentiates these outputs; their graph serves once."""
        return partial(self.torch.autograd.grad, outputs, leaves, cotangents)

    def gradients(
        self, outputs: Sequence[Any], leaves: Sequence[Any], cotangents: Sequence[Any]
    ) -> Sequence[Any]:
        """Return the gradient by each leaf."""
        found: Sequence[Any] = self.torch.autograd.grad(outputs, leaves, cotangents)
        return found

    def span(self, tensor: Any) -> Span | None:
        """Return where a tensor's storage lies."""
        return memory.span(tensor)

    def watch(self, device: str) -> Watch:
        """Return what watches the memory: on a GPU, PyTorch's own allocator."""
        return super().watch(device) if device == "cpu" else partial(memory.watch_gpu, self.torch)

    def saved_bytes(self, record: Callable[..., Any]) -> int | None:
        """Return the bytes of the tensors that a recorded forward keeps."""
        with self.recording():
            return memory.saved_bytes(self.torch, record)

    def kernels(self, call: Callable[[], object], device: str) -> list[str] | None:
        """Return the kernels of a call on the CPU; a GPU's are not counted yet."""
        return kernels.kernels(self.torch, call) if device == "cpu" else None

    def operator_times(self, step: Step, steps: int) -> OperatorTimes | None:
        """Return the seconds of each operator; on a GPU the host would only tell its own."""
        from opperf.pytorch_benchmarks.calling.profile import operator_times

        return None if self.gpus else operator_times(step, steps)

    def bind_call(self, call: Any, device: str) -> Any:
        """Return a network's call bound to its overload."""
        from opperf.pytorch_benchmarks.calling.binding import bind_call

        return bind_call(self.torch, call, device)

    def networks(self) -> Any:
        """Return what makes networks and captures their calls."""
        from opperf.pytorch_benchmarks.calling.opening import TorchNetworks

        return TorchNetworks()

    def seed(self, seed: int) -> None:
        """Set torch's seed."""
        self.torch.manual_seed(seed)
