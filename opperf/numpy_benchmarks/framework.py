"""NumPy behind the framework protocol."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.environment.openblas import core_name
from opperf.core.errors import UnsupportedError, UsageError, unknown
from opperf.core.frameworks.device import Device
from opperf.core.frameworks.framework import Framework
from opperf.core.frameworks.implementation import Implementation
from opperf.core.tensors.tensor import TRANSPOSED
from opperf.numpy_benchmarks.limits import LIMITS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.limitation import Limitation
    from opperf.core.frameworks.variant import Variant
    from opperf.core.memory.span import Span
    from opperf.core.tensors.tensor import Array, Tensor

NO_BFLOAT16 = "numpy has no bfloat16"
UMATH = ("numpy._core._multiarray_umath", "numpy.core._multiarray_umath")
"""NumPy's C module, in NumPy 2 and before."""


class NumPy(Framework):
    """Times each operator's reference in the dtype asked for."""

    name = "numpy"
    prefix = "NP"
    module = "numpy"
    extra = "all"
    directions = ("forward",)

    def implementation(self, operator: type[Any], *, variant: Variant) -> Implementation | None:
        """Return the operator's own reference; NumPy fuses nothing."""
        if variant == "fused":
            return None
        name = f"{operator.__module__}.{operator.__qualname__}.reference"
        return Implementation(name, build=partial(bind_reference, operator.tensors))

    def limitations(self, operator: type[Any]) -> tuple[Limitation, ...]:
        """Return what NumPy does wrongly; it computes every reference, and fuses nothing."""
        return LIMITS.get(operator.table_class(), ())

    def environment(self, threads: int) -> dict[str, str]:
        """Return the thread settings of the libraries that multiply its matrices."""
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        return dict.fromkeys(names, str(threads))

    def load(self, threads: int) -> None:
        """Nothing to load: the harness itself stands on NumPy."""

    def facts(self) -> dict[str, object]:
        """Return NumPy's version; its threads are set by the environment before Python starts."""
        return {
            "name": self.name,
            "version": np.__version__,
            "build": None,
            "threads": None,
            "instruction_sets": {"NumPy": highest_feature(), "OpenBLAS": core_name("numpy")},
        }

    def device(self, name: str) -> Device:
        """Return the CPU."""
        if name != "cpu":
            raise UsageError(unknown("device", name, ["cpu"], " for numpy"))
        return Device()

    def tensor(self, array: Array, dtype: str, device: str, *, differentiable: bool) -> Array:
        """Return a copy of the array, which an operator may change."""
        del device, differentiable
        if dtype == "bfloat16":
            raise UnsupportedError(NO_BFLOAT16)
        return array.copy()

    def lay_out(self, tensor: Array, layout: str) -> Array:
        """Return the array with other strides."""
        last = -2 if layout == TRANSPOSED else 1
        return np.moveaxis(np.moveaxis(tensor, last, -1).copy(), -1, last)

    def array(self, tensor: Array) -> Array:
        """Return the array itself."""
        return np.asarray(tensor)

    def dtype(self, tensor: Array) -> str:
        """Return the name of the element type."""
        return str(np.asarray(tensor).dtype)

    def assign(self, target: Array, source: Array) -> None:
        """Copy the values over."""
        np.copyto(target, source)

    def span(self, tensor: Array) -> Span:
        """Return where the array lies whose memory this is."""
        owner = np.asarray(tensor)
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        return int(owner.ctypes.data), owner.nbytes

    def inference(self) -> AbstractContextManager[object]:
        """Return no context: nothing is ever recorded."""
        return nullcontext()


def highest_feature() -> str | None:
    """Return the highest of the instruction sets for which NumPy has loops that it may use here."""
    umath: Any = next(sys.modules[name] for name in UMATH if name in sys.modules)
    found = [name for name in umath.__cpu_dispatch__ if umath.__cpu_features__[name]]
    return found[-1] if found else None


def bind_reference(
    tensors: Mapping[str, Tensor],
    reference: Callable[..., Any],
    *arrays: Array,
    training: bool = False,
    dtype: str | None = None,
    device: str | None = None,
    **attributes: object,
) -> Step:
    """Bind the reference; of an in-place operator, store what it returns where it belongs.

    A reference computes in the dtype of its arrays; one that takes none is told the dtype.
    """
    del training, device  # inference on the CPU
    if "bfloat16" in (dtype, *attributes.values()):
        raise UnsupportedError(NO_BFLOAT16)
    made = {} if arrays else {"dtype": dtype}
    call = partial(reference, *arrays, **attributes, **made)
    targets = [a for a, t in zip(arrays, tensors.values(), strict=True) if t.mutated]
    return partial(store, call, targets) if targets else call


def store(call: Step, targets: list[Array]) -> None:
    """Write the outputs of a call over its targets."""
    outputs: Any = call()
    for target, output in zip(targets, outputs if len(targets) > 1 else (outputs,), strict=True):
        np.copyto(target, output)
