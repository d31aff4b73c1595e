"""MXNet behind the framework protocol; importing this module does not import mxnet."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.environment.openblas import core_name
from opperf.core.errors import UsageError
from opperf.core.frameworks.calling import Calling, read_meanings
from opperf.core.frameworks.device import Device
from opperf.core.frameworks.framework import Framework
from opperf.core.frameworks.implementation import collect_tables
from opperf.core.frameworks.workload import DIRECTIONS
from opperf.mxnet_benchmarks import kernels, memory, onednn
from opperf.mxnet_benchmarks.alias import import_mxnet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.observation import OperatorTimes
    from opperf.core.memory.span import Span
    from opperf.core.tensors.tensor import Array

INTERVAL = 4e-3
"""Least seconds a sample: below, waking the engine's thread hides or adds too much of its work."""
BFLOAT16 = np.dtype([("bfloat16", np.uint16)])
"""bfloat16 in MXNet's Python functions, which do not know the name."""
CONSTANT = 500e-6
"""Upper bound in seconds on waking the engine and awaiting it, once a sample."""

MOST_ERRORS = 100
"""Waits after an error until one raises nothing; a second has always been enough."""


class MXNet(Framework):
    """Imperative MXNet; its engine runs behind the caller, so every sample awaits all of it."""

    name = "mxnet"
    prefix = "MX"
    module = "mxnet"
    extra = "mxnet"
    directions = DIRECTIONS
    graphs_share_inputs = False
    threads_beside = 1
    model_formats = MappingProxyType(
        {
            "symbol": "opperf.mxnet_benchmarks.loading.symbol:load",
            "python": "opperf.mxnet_benchmarks.loading.factory:load",
        }
    )
    missing_form = (
        r"only ?support|not supported|does not support|unknown type enum|not implemented"
        r"|unsupported (data )?type|requires uniform type"
    )

    requirements = (onednn.BFLOAT16,)

    def __init__(self) -> None:
        """Collect this package's tables, which name callables and import nothing."""
        self.table = collect_tables(__name__.rpartition(".")[0])

    @cached_property
    def calling(self) -> Calling:
        """The operators that MXNet registers."""
        package = "opperf.mxnet_benchmarks.calling"
        return Calling(read_meanings(package), package)

    @cached_property
    def mxnet(self) -> Any:
        """The framework's module, imported when first used."""
        return import_mxnet()

    def environment(self, threads: int) -> dict[str, str]:
        """Return the thread settings, which MXNet reads only while it is imported."""
        return {
            "OMP_NUM_THREADS": str(threads),
            "MXNET_CPU_WORKER_NTHREADS": "1",
            "MXNET_SUBGRAPH_VERBOSE": "0",
        }

    def load(self, threads: int) -> None:
        """Import mxnet under its thread settings, unless the process has imported it already."""
        if self.module not in sys.modules:
            with environment(self.environment(threads)):
                _ = self.mxnet

    def shortage(self, requires: str) -> str | None:
        """Return why its oneDNN may not use a level of instruction sets here."""
        return onednn.BUILD.shortage(requires)

    def facts(self) -> dict[str, object]:
        """Return version, build, threads, and which instruction sets its libraries may use."""
        features = self.mxnet.runtime.Features()
        enabled = sorted(name for name in features if features.is_enabled(name))
        return {
            "name": self.name,
            "version": self.mxnet.__version__,
            "build": " ".join(enabled),
            "threads": int(os.environ.get("OMP_NUM_THREADS") or 0) or None,
            "instruction_sets": {"oneDNN": onednn.BUILD.level(), "OpenBLAS": core_name("mxnet")},
        }

    def device(self, name: str) -> Device:
        """Return the CPU with its asynchronous engine."""
        if name == "cpu":
            wait = self.mxnet.nd.waitall
            return Device(synchronize=wait, interval=INTERVAL, constant=CONSTANT, beside=True)
        count = self.mxnet.context.num_gpus()
        found = f"{count} GPUs found" if count else "no GPU found"
        raise UsageError(
            f"device {name!r}: {found}, and mxnet is measured on: cpu; its wheel has no CUDA"
        )

    def discard_errors(self) -> None:
        """Wait until the engine has nothing left to raise: each wait raises one error, or none."""
        if self.module not in sys.modules:
            return
        for _ in range(MOST_ERRORS):
            with suppress(Exception):
                self.mxnet.nd.waitall()
                return

    def tensor(self, array: Array, dtype: str, device: str, *, differentiable: bool) -> Any:
        """Return an NDArray that owns a copy of the values."""
        del device  # the CPU is the only one yet
        if dtype == "bfloat16":
            tensor = self.mxnet.nd.array(array, dtype="float32").astype(BFLOAT16)
        else:
            tensor = self.mxnet.nd.array(array, dtype=np.dtype(dtype))
        if differentiable and array.dtype.kind == "f":
            tensor.attach_grad()
        return tensor

    def array(self, tensor: Any) -> Array:
        """Return the values, once they are computed; bfloat16 as the float32 of the same bits."""
        values = np.asarray(tensor.asnumpy())
        if values.dtype == BFLOAT16:
            values = (values["bfloat16"].astype(np.uint32) << 16).view(np.float32)
        return values

    def dtype(self, tensor: Any) -> str:
        """Return the name of the element type."""
        kind = np.dtype(tensor.dtype)
        return "bfloat16" if kind == BFLOAT16 else kind.name

    def assign(self, target: Any, source: Any) -> None:
        """Copy the values over."""
        source.copyto(target)

    def inference(self) -> AbstractContextManager[object]:
        """Return the context outside of recording."""
        context: AbstractContextManager[object] = self.mxnet.autograd.pause(train_mode=False)
        return context

    def recording(self) -> AbstractContextManager[object]:
        """Return the context of training."""
        context: AbstractContextManager[object] = self.mxnet.autograd.record(train_mode=True)
        return context

    def backward(
        self, outputs: Sequence[Any], leaves: Sequence[Any], cotangents: Sequence[Any]
    ) -> Step:
        """Return the step that differentiates these outputs into the leaves' gradient arrays."""
        del leaves  # they carry their gradient arrays
        return partial(self.mxnet.autograd.backward, outputs, cotangents)

    def gradients(
        self, outputs: Sequence[Any], leaves: Sequence[Any], cotangents: Sequence[Any]
    ) -> Sequence[Any]:
        """Return the gradient by each leaf."""
        self.mxnet.autograd.backward(outputs, cotangents)
        return [leaf.grad for leaf in leaves]

    def unshare(self, tensor: Any) -> Any:
        """Return a handle of its own on the same memory.

        A backward clears what recording notes on an input without gradient; a second graph that
        waits on the same handle would then fail ("any container is empty").
        """
        return tensor.detach()

    def span(self, tensor: Any) -> Span | None:
        """Return where an array's values lie; None for a sparse one, which has several arrays."""
        dense = getattr(tensor, "stype", "default") == "default"
        return memory.span(self.mxnet, tensor) if dense else None

    def saved_bytes(self, record: Callable[..., Any]) -> int | None:
        """Return the bytes that stay allocated while a recorded graph is all that holds them."""
        with self.recording():
            try:
                return memory.saved_bytes(self.mxnet, record)
            except self.mxnet.base.MXNetError:  # an output of unknown shape cannot be copied
                self.discard_errors()
                return None

    def kernels(self, call: Callable[[], object], device: str) -> list[str] | None:
        """Return the operators that the engine executes for a call."""
        del device  # the CPU is the only one yet
        return kernels.kernels(self.mxnet, call)

    def operator_times(self, step: Step, steps: int) -> OperatorTimes | None:
        """Return the seconds of each operator that the engine executes."""
        return kernels.operator_times(self.mxnet, step, steps)

    def networks(self) -> Any:
        """Return what makes networks and captures their calls."""
        _ = self.mxnet  # imported beside the NumPy here, before anything below imports it
        from opperf.mxnet_benchmarks.calling.opening import GluonNetworks

        return GluonNetworks()

    def bind_call(self, call: Any, device: str) -> Any:
        """Return a call of an operator that MXNet has registered, bound."""
        from opperf.mxnet_benchmarks.calling.binding import bind_call

        del device  # the CPU is the only one yet
        return bind_call(self, self.mxnet, call)

    def seed(self, seed: int) -> None:
        """Set MXNet's seed."""
        self.mxnet.random.seed(seed)


@contextmanager
def environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables that are not set already, within the context."""
    added = {name: value for name, value in variables.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)
