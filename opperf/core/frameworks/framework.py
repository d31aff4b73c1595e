"""The seam between an operator and the framework that computes it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib.util import find_spec
from inspect import signature
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from opperf.core.errors import UnsupportedError, UsageError
from opperf.core.frameworks.calling import Calling
from opperf.core.frameworks.implementation import Absent, Fusable, Implementation, Table
from opperf.core.frameworks.limitation import Limitation
from opperf.core.frameworks.models import find_loader
from opperf.core.frameworks.observation import Observation
from opperf.core.frameworks.variant import TODAY, require_variant

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from opperf.core.frameworks.device import Device, Step
    from opperf.core.frameworks.models import LoadedModel, ModelFiles
    from opperf.core.frameworks.observation import OperatorTimes
    from opperf.core.frameworks.requirement import Requirement
    from opperf.core.frameworks.variant import Variant
    from opperf.core.frameworks.workload import Work
    from opperf.core.memory.span import Span, Watch
    from opperf.core.tensors.tensor import Array


OLDER = {"tuned": "tune", "unshared": "unshare", "saved": "saved_bytes"}
"""What methods that a plug-in may override were called before 2026-11-23, and are called now."""


class Framework(ABC):
    """What a framework package offers; `opperf.numpy_benchmarks` is the smallest.

    Creating one imports nothing of the framework: `load` does, once.
    """

    name: ClassVar[str]
    prefix: ClassVar[str]
    module: ClassVar[str]
    extra: ClassVar[str]
    directions: ClassVar[tuple[str, ...]]
    graphs_share_inputs: ClassVar[bool] = True
    """Whether several recorded graphs may wait on the same tensors without a gradient."""
    threads_beside: ClassVar[int] = 0
    """Threads that compute beside the caller's own, such as an engine's."""
    placing: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Variables by which its tensors come to lie alike in each process, where that is wanted."""
    missing_form: ClassVar[str] = r"(?!)"
    """A regular expression: its words for an operator that has no form for a dtype."""
    requirements: ClassVar[tuple[Requirement, ...]] = ()
    """What its build needs of the processor beyond what it needs to be imported."""
    model_formats: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The formats of models that it loads, each with its loader, as "module:function"."""
    table: Table = MappingProxyType({})

    def __init_subclass__(cls) -> None:
        """Refuse a framework that is spelled as before 2026-11-23.

        Raises:
            UsageError: says the spelling of today.
        """
        super().__init_subclass__()
        if "fused" in signature(cls.implementation).parameters:
            raise UsageError(f"framework {cls.__name__}, `implementation`: {TODAY}")
        for name in OLDER.keys() & vars(cls).keys():
            raise UsageError(f"framework {cls.__name__}: `{name}` is `{OLDER[name]}`")

    def implementation(self, operator: type[Any], *, variant: Variant) -> Implementation | None:
        """Return how this framework computes the operator, or None; imports no framework."""
        entry = self.table.get(operator.table_class())
        if isinstance(entry, Fusable):
            return entry.unfused if require_variant(variant) == "unfused" else entry.fused
        return None if isinstance(entry, Absent) else entry

    def limitations(self, operator: type[Any]) -> tuple[Limitation, ...]:
        """Return what this framework cannot do with the operator, or does wrongly.

        What is not in its table, it does not compute at all.
        """
        entry = self.table.get(operator.table_class())
        if entry is None or isinstance(entry, Absent):
            why = entry.why if entry else ""
            return (Limitation(words=f"{self.name} has no implementation", note=why),)
        return entry.limits

    def extend(self, table: Table) -> None:
        """Add the implementations that a plug-in brings for its own operators."""
        self.table = {**self.table, **table}

    def is_installed(self) -> bool:
        """Return whether the framework could be imported, without importing it."""
        return find_spec(self.module) is not None

    def environment(self, threads: int) -> dict[str, str]:  # noqa: ARG002 - a framework may not care
        """Return the environment variables that must be set before the framework loads."""
        return {}

    @property
    def calling(self) -> Calling:
        """What it knows of its own operators; it is not imported for that."""
        return Calling()

    @abstractmethod
    def load(self, threads: int) -> None:
        """Import the framework and set its thread count."""

    def load_compiler(self) -> None:  # noqa: B027 - a framework may have none
        """Load what an implementation that compiles needs beside the framework itself, if any."""

    def compile_operators(self) -> Framework:
        """Return this framework with each operator compiled, or raise an UnsupportedError."""
        raise UnsupportedError(f"{self.name} has no compiler of single operators")

    def shortage(self, requires: str) -> str | None:  # noqa: ARG002 - a framework may need nothing
        """Say why its build may not use an instruction set here, None where it may.

        It is asked without the framework, and answers None where nobody knows.
        """
        return None

    @abstractmethod
    def facts(self) -> dict[str, object]:
        """Return its version, build and thread count, once it is loaded."""

    @abstractmethod
    def device(self, name: str) -> Device:
        """Return the device of this name, or raise a UsageError that lists the devices."""

    def discard_errors(self) -> None:  # noqa: B027 - most raise where they are called
        """Wait for what is under way after an error, and drop what else it raises.

        An engine that works on by itself would raise it at the next row's synchronization.
        """

    def tune(self, work: Work) -> Work:
        """Hook to re-tune a warmed workload for its device; default: unchanged."""
        return work

    def observe(self, work: Work, seconds: float) -> Observation:  # noqa: ARG002 - a CPU tells nothing
        """Return the device's own figures right after sampling calls of so many seconds."""
        return Observation()

    @abstractmethod
    def tensor(self, array: Array, dtype: str, device: str, *, differentiable: bool) -> Any:
        """Return the array's values as a tensor of the framework's own."""

    def lay_out(self, tensor: Any, layout: str) -> Any:  # noqa: ARG002 - a framework may have none
        """Convert a tensor to another layout (`tensor.LAYOUTS`); most frameworks have none.

        Raises:
            UnsupportedError: the framework stores tensors in one way only.
        """
        raise UnsupportedError(f"{self.name} has no {layout} tensors")

    @abstractmethod
    def array(self, tensor: Any) -> Array:
        """Return a tensor's values as a NumPy array of at least their precision."""

    def dtype(self, tensor: Any) -> str:
        """Return the name of a tensor's element type; where `array` widens it, say it here."""
        return str(self.array(tensor).dtype)

    @abstractmethod
    def assign(self, target: Any, source: Any) -> None:
        """Copy the source's values into the target tensor, in place."""

    @abstractmethod
    def inference(self) -> AbstractContextManager[object]:
        """Return the context in which nothing is recorded for a backward."""

    def recording(self) -> AbstractContextManager[object]:
        """Return the context in which calls are recorded, in training mode."""
        raise NotImplementedError

    def backward(
        self, outputs: Sequence[Any], leaves: Sequence[Any], cotangents: Sequence[Any]
    ) -> Step:
        """Return the step that differentiates recorded outputs by the leaves."""
        raise NotImplementedError

    def gradients(
        self, outputs: Sequence[Any], leaves: Sequence[Any], cotangents: Sequence[Any]
    ) -> Sequence[Any]:
        """Return the gradient by each leaf."""
        raise NotImplementedError

    def unshare(self, tensor: Any) -> Any:
        """Return a tensor without gradient so that one more graph may record it: itself."""
        return tensor

    def span(self, tensor: Any) -> Span | None:  # noqa: ARG002 - a framework may not tell
        """Return where the memory lies that a tensor is in, None where that cannot be told."""
        return None

    def watch(self, device: str) -> Watch:
        """Return the watch of a device's memory; on the host it counts written pages."""
        from opperf.core.memory import pages, span

        return pages.watch if device == "cpu" else span.no_watch

    def saved_bytes(self, record: Callable[..., Any]) -> int | None:  # noqa: ARG002 - likewise
        """Return the bytes that a recorded forward keeps for its backward, None if unknown.

        `recorded()` runs one and returns its outputs and its `Bound`; given a function of a tensor,
        it runs on what that makes of its inputs.
        """
        return None

    def kernels(self, call: Callable[[], object], device: str) -> list[str] | None:  # noqa: ARG002 - likewise
        """Return the names of the kernels that a call runs, by the framework's own profiler.

        None where that cannot be told.
        """
        return None

    def operator_times(self, step: Step, steps: int) -> OperatorTimes | None:  # noqa: ARG002 - likewise
        """Return what each operator of a step takes, as the mean of some; None if unknown."""
        return None

    def bind_call(self, call: Any, device: str) -> Any:  # noqa: ARG002 - a framework may have none
        """Return a network's call of one of its own operators, bound.

        From an `opperf.calls.format.values.Call` to an `opperf.calls.measuring.binding.BoundCall`.

        Raises:
            UnsupportedError: it has no such operator, or none that can be called by name.
            UsageError: the operator does not take the arguments.
        """
        raise UnsupportedError(f"{self.name} does not call its own operators by name")

    def networks(self) -> Any:
        """Return its `opperf.calls.capturing.source.Networks`; None where it captures no calls."""
        return None

    def load_model(self, model: ModelFiles, device: str) -> LoadedModel:
        """Return a model from its files, ready for inference on a device."""
        return find_loader(self.name, self.model_formats, model)(self, model, device)

    def seed(self, seed: int) -> None:  # noqa: B027 - nothing to set where nothing is random
        """Set the framework's random seed."""
