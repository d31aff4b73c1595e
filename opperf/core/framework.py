"""The seam between an operator and the framework that computes it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pkgutil import iter_modules
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, cast

from opperf.core.errors import NotInstalledError, UnsupportedError, UsageError, unknown

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from opperf.core.device import Device, Step
    from opperf.core.tensor import Array, Tensor

BUILT_IN = {
    "mxnet": "opperf.mxnet_benchmarks:FRAMEWORK",
    "pytorch": "opperf.pytorch_benchmarks:FRAMEWORK",
    "numpy": "opperf.numpy_benchmarks:FRAMEWORK",
}
MEASURED = ("mxnet", "pytorch")
"""The built-in frameworks that a run measures when none is named; NumPy is the reference."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One operator on one set of arrays, before any framework has seen it.

    `cotangents` are the gradients by each differentiable output, which `differentiable_outputs`
    lists by position; `tensors` declares each input.
    """

    operator: type[Any]
    tensors: Mapping[str, Tensor]
    arrays: Mapping[str, Array]
    attributes: Mapping[str, object]
    dtype: str
    device: str
    training_mode: bool
    fused: bool | None
    cotangents: Sequence[Array] = ()
    differentiable_outputs: tuple[int, ...] = (0,)

    def differentiable(self) -> tuple[str, ...]:
        """Return the names of the inputs that have a gradient, in order."""
        return tuple(name for name, tensor in self.tensors.items() if tensor.differentiable)

    def states(self) -> tuple[str, ...]:
        """Return the names of the inputs that training changes beside the output."""
        return tuple(name for name, tensor in self.tensors.items() if tensor.state)

    def mutated(self) -> tuple[str, ...]:
        """Return the names of the inputs that the operator changes in place."""
        return tuple(name for name, tensor in self.tensors.items() if tensor.mutated)


@dataclass(frozen=True)
class Bound:
    """A step on given tensors, and what to differentiate it by where that is not its inputs.

    `unpack` turns the gradients by the leaves into one gradient an input.
    """

    step: Step
    leaves: Sequence[Any] | None = None
    unpack: Callable[[Sequence[Any]], Sequence[Any]] = tuple


@dataclass(frozen=True)
class Implementation:
    """How a framework computes an operator: its callable by dotted name, imported on binding.

    `build` receives the callable (each of several joined by " + "), the tensors and the attributes,
    and returns the bound step; left out, the callable takes tensors and attributes as they are, the
    latter under the names of `rename` and together with the constants of `fixed`. What `compiles`
    may take long in its first call.
    """

    name: str
    build: Callable[..., Step | Bound] | None = None
    rename: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, object] = field(default_factory=dict)
    compiles: bool = False

    def bind(self, tensors: Sequence[Any], keywords: Mapping[str, object]) -> Bound:
        """Return the step that applies the callable to these tensors and attributes."""
        calls = [resolve(name) for name in self.name.split(" + ")]
        if self.build is not None:
            step = self.build(*calls, *tensors, **keywords)
            return step if isinstance(step, Bound) else Bound(step)
        renamed = {self.rename.get(name, name): value for name, value in keywords.items()}
        (call,) = calls
        return Bound(partial(call, *tensors, **renamed, **self.fixed))


@dataclass(frozen=True)
class Fusable:
    """A fused implementation beside the composition of parts that it replaces."""

    fused: Implementation
    unfused: Implementation


Table = Mapping[type[Any], "Implementation | Fusable"]


def collect_tables(package: str, folder: str, *, but: Collection[str]) -> Table:
    """Return the `TABLE` of every category's module in a framework's package, as one table."""
    names = sorted({info.name for info in iter_modules([folder])} - set(but))
    modules = [import_module(f"{package}.{name}") for name in names]
    return {operator: entry for module in modules for operator, entry in module.TABLE.items()}


def native(
    name: str, *, rename: Mapping[str, str] | None = None, **fixed: object
) -> Implementation:
    """Name a framework's callable that takes the operator's inputs in their order."""
    return Implementation(name, rename=rename or {}, fixed=fixed)


def built(
    name: str, build: Callable[..., Step | Bound], *, compiles: bool = False
) -> Implementation:
    """Name a framework's callable that needs something built once, before timing starts."""
    return Implementation(name, build=build, compiles=compiles)


@cache
def resolve(name: str) -> Callable[..., Any]:
    """Import and return the callable of this dotted name."""
    module, *rest = name.split(".")
    value: Any = import_module(module)
    path = module
    for part in rest:
        path = f"{path}.{part}"
        try:
            value = getattr(value, part)
        except AttributeError:
            try:
                value = import_module(path)
            except ImportError:
                raise UnsupportedError(f"this version has no {name}") from None
    return cast("Callable[..., Any]", value)


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
    missing_form: ClassVar[str] = r"(?!)"
    """A regular expression: its words for an operator that has no form for a dtype."""
    table: Table = MappingProxyType({})

    def implementation(self, operator: type[Any], *, fused: bool | None) -> Implementation | None:
        """Return how this framework computes the operator, or None; imports no framework."""
        entry = self.table.get(operator.declared())
        if isinstance(entry, Fusable):
            return entry.unfused if fused is False else entry.fused
        return entry

    def extend(self, table: Table) -> None:
        """Add the implementations that a plug-in brings for its own operators."""
        self.table = {**self.table, **table}

    def is_installed(self) -> bool:
        """Return whether the framework could be imported, without importing it."""
        return find_spec(self.module) is not None

    def environment(self, threads: int) -> dict[str, str]:  # noqa: ARG002 - a framework may not care
        """Return the environment variables that must be set before the framework loads."""
        return {}

    @abstractmethod
    def load(self, threads: int) -> None:
        """Import the framework and set its thread count."""

    @abstractmethod
    def facts(self) -> dict[str, object]:
        """Return its version, build and thread count, once it is loaded."""

    @abstractmethod
    def device(self, name: str) -> Device:
        """Return the device of this name, or raise a UsageError that says which there are."""

    @abstractmethod
    def tensor(self, array: Array, dtype: str, device: str, *, differentiable: bool) -> Any:
        """Return the array's values as a tensor of the framework's own."""

    @abstractmethod
    def array(self, tensor: Any) -> Array:
        """Return a tensor's values as a NumPy array of at least their precision."""

    @abstractmethod
    def assign(self, target: Any, source: Any) -> None:
        """Copy the source's values into the target tensor, in place."""

    @abstractmethod
    def inference(self) -> AbstractContextManager[object]:
        """Return the context in which nothing is recorded for a backward."""

    def recording(self) -> AbstractContextManager[object]:
        """Return the context in which calls are recorded, in training mode."""
        raise NotImplementedError

    def backward(self, outputs: Sequence[Any], leaves: Sequence[Any], seeds: Sequence[Any]) -> Step:
        """Return the step that differentiates recorded outputs by the leaves."""
        raise NotImplementedError

    def gradients(
        self, outputs: Sequence[Any], leaves: Sequence[Any], seeds: Sequence[Any]
    ) -> Sequence[Any]:
        """Return the gradient by each leaf."""
        raise NotImplementedError

    def unshared(self, tensor: Any) -> Any:
        """Return a tensor without gradient so that one more graph may record it: itself."""
        return tensor

    def seed(self, seed: int) -> None:  # noqa: B027 - nothing to set where nothing is random
        """Set the framework's random seed."""


def framework_names() -> tuple[str, ...]:
    """Return the names of all frameworks, built in and plugged in."""
    return (*BUILT_IN, *sorted({point.name for point in plug_ins()} - set(BUILT_IN)))


def plug_ins() -> Sequence[Any]:
    """Return the entry points of further frameworks."""
    return tuple(entry_points(group="opperf.frameworks"))


def load_plug_in(point: EntryPoint) -> Any:
    """Return what an entry point names, or raise a UsageError that says which one is broken."""
    try:
        return point.load()
    except Exception as error:
        kind = type(error).__name__
        raise UsageError(
            f"plug-in {point.name!r} ({point.value}) cannot be loaded: {kind}: {error}; "
            "mend or uninstall it"
        ) from error


@cache
def find_framework(name: str) -> Framework:
    """Return the framework of this name, without importing what it measures."""
    if name in BUILT_IN:
        module, attribute = BUILT_IN[name].split(":")
        return cast("Framework", getattr(import_module(module), attribute))
    for point in plug_ins():
        if point.name == name:
            return cast("Framework", load_plug_in(point))
    raise UsageError(unknown("framework", name, framework_names()))


def require_installed(framework: Framework) -> None:
    """Raise an error with the remedy where the framework is not installed."""
    if not framework.is_installed():
        raise NotInstalledError(
            f"framework {framework.name!r} is not installed here; "
            f"install it with: pip install 'opperf[{framework.extra}]'"
        )


def default_framework(environ: Mapping[str, str]) -> Framework:
    """Return OPPERF_FRAMEWORK's, else the first installed of the measured ones; never NumPy."""
    named = environ.get("OPPERF_FRAMEWORK")
    if named:
        return find_framework(named)
    for name in MEASURED:
        if (framework := find_framework(name)).is_installed():
            return framework
    raise NotInstalledError(
        "no framework to measure is installed; "
        "install one with: pip install 'opperf[mxnet]' or pip install 'opperf[pytorch]'"
    )
