"""What a framework's own operator is given by a declaration: which input became which argument."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opperf.core.configuration.settings import Settings
from opperf.core.errors import UnsupportedError
from opperf.core.preparing.preparation import Preparation
from opperf.measuring.attempt import Attempt
from tests.contracts.called import PREPARING, timed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.variant import Variant
    from opperf.declaring.declaration import Declaration


@dataclass(frozen=True)
class Seen:
    """A tensor that an operator is given: a declared one with its axes in this order, or another.

    `axes` is None where it lies otherwise in the memory of the declared one; `is_mask` says that it
    is made of it, true where that is not 0.
    """

    name: str | None
    axes: tuple[int, ...] | None
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    dtype: str
    is_mask: bool = False


@dataclass(frozen=True)
class Named:
    """A value that is called by its name: an element type, a device, a layout."""

    kind: str
    name: str


@dataclass(frozen=True)
class Observed:
    """A call: its operator, and what it is given by the names of its parameters, all of them."""

    operator: str
    takes: str
    given: Mapping[str, Any]


class Tensors:
    """The declared inputs as the framework's tensors, known again by their memory."""

    def __init__(self) -> None:
        self.kept: list[Any] = []
        self.given: list[str] = []
        self.names: dict[int, tuple[str, tuple[int, ...]]] = {}

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Note each tensor that is made of an input."""
        usual = Preparation.tensor

        def noting(preparation: Preparation, name: str, most: int | None = None) -> Any:
            made = usual(preparation, name, most)
            self.note(name, made)
            return made

        Preparation.tensor = noting  # type: ignore[method-assign]
        try:
            yield
        finally:
            Preparation.tensor = usual  # type: ignore[method-assign]

    def note(self, name: str, tensor: Any) -> None:
        """Remember a tensor by where it lies."""
        self.kept.append(tensor)
        self.given.append(name)
        if (address := address_of(tensor)) is not None:
            self.names[address] = name, tuple(tensor.shape)

    def seen(self, tensor: Any) -> Seen:
        """Return what a tensor is."""
        shape, dtype = tuple(tensor.shape), str(tensor.dtype).removeprefix("torch.")
        if address_of(tensor) is None:
            return Seen(None, None, shape, None, dtype)
        name, declared = self.names.get(address_of(tensor), (None, ()))
        axes = None
        if name is not None and tensor.storage_offset() == 0:
            axes = axes_of(shape, tensor.stride(), declared)
        if name is None and dtype == "bool" and (name := self.mask_of(tensor)):
            return Seen(
                name, (*range(len(shape)),), shape, tuple(tensor.stride()), dtype, is_mask=True
            )
        return Seen(name, axes, shape, tuple(tensor.stride()), dtype)

    def name_of(self, tensor: Any) -> str | None:
        """Return the input that is this very object."""
        found = (name for kept, name in zip(self.kept, self.given, strict=True) if kept is tensor)
        return next(found, None)

    def mask_of(self, tensor: Any) -> str | None:
        """Return the input that a mask is made of, None where it is of none."""
        for kept in self.kept:
            if (
                kept.shape == tensor.shape
                and tensor.numel()
                and bool(((kept != 0) == tensor).all())
            ):
                return self.names[address_of(kept) or 0][0]
        return None


def address_of(tensor: Any) -> int | None:
    """Return where the memory of a tensor begins."""
    try:
        return tensor.untyped_storage().data_ptr() or None
    except (AttributeError, NotImplementedError, RuntimeError):  # MXNet's, or a sparse one
        return None


def axes_of(
    shape: tuple[int, ...], strides: tuple[int, ...], declared: tuple[int, ...]
) -> tuple[int, ...] | None:
    """Return which axis of a declared, contiguous tensor each axis of a view of it is."""
    if sorted(shape) != sorted(declared):
        return None
    steps, step = [], 1
    for size in reversed(declared):
        steps.append(step)
        step *= max(size, 1)
    wanted = [*zip(declared, reversed(steps), strict=True)]
    found: list[int] = []
    for at, pair in enumerate(zip(shape, strides, strict=True)):
        fitting = [axis for axis, each in enumerate(wanted) if each == pair and axis not in found]
        if not fitting:
            return None
        found.append(at if at in fitting else fitting[0])
    return tuple(found)


def recorded(tensors: Tensors, call: Callable[[], object]) -> list[Observed]:
    """Return the operators that a call of PyTorch runs, with what they are given."""
    from torch.utils._python_dispatch import TorchDispatchMode

    found: list[Observed] = []

    class Recording(TorchDispatchMode):
        def __torch_dispatch__(self, call: Any, _: Any, args: Any = (), kwargs: Any = None) -> Any:
            if not call.is_view and not call.overloadpacket.__name__.startswith(timed.ALLOCATING):
                found.append(observed(tensors, call, args, kwargs or {}))
            return call(*args, **(kwargs or {}))

    with Recording():
        call()
    return found


def observed(tensors: Tensors, call: Any, args: Any, kwargs: Mapping[str, Any]) -> Observed:
    """Return a call with all its arguments, those that were left out as they are by default."""
    parameters = call._schema.arguments
    given = {p.name: p.default_value for p in parameters}
    given |= dict(zip((p.name for p in parameters), args, strict=False)) | {**kwargs}
    return Observed(
        str(call), signature(parameters), {name: value(tensors, v) for name, v in given.items()}
    )


def signature(parameters: Any) -> str:
    """Return "self, other, *, alpha=1"."""
    words, starred = [], False
    for each in parameters:
        if each.kwarg_only and not starred:
            words.append("*")
            starred = True
        plain = value(Tensors(), each.default_value) if each.has_default_value() else ...
        words.append(each.name if plain is ... else f"{each.name}={plain!r}")
    return ", ".join(words)


def value(tensors: Tensors, given: Any) -> Any:
    """Return an argument without the framework's own types."""
    import torch

    if isinstance(given, torch.Tensor):
        return tensors.seen(given)
    if isinstance(given, (list, tuple)):
        return [value(tensors, each) for each in given]
    for kind, name in (
        (torch.dtype, "dtype"), (torch.device, "device"), (torch.layout, "layout"),
        (torch.memory_format, "memory_format"),
    ):  # fmt: skip
        if isinstance(given, kind):
            return Named(name, str(given).removeprefix("torch."))
    known = isinstance(given, (bool, int, float, str, type(None)))
    return given if known else Named("other", str(given))


def recorder(framework: Framework) -> Callable[..., list[Observed]]:
    """Return what records the calls of a framework."""
    if framework.name == "mxnet":
        from tests.contracts import observed_mxnet

        return observed_mxnet.recorded
    return recorded


def observe(
    framework: Framework, operator: Declaration, variant: Variant, direction: str
) -> Observed | None:
    """Return the one operator that a call runs, None where it is several or there is none."""
    if (variant, direction) not in {*operator.rows()}:
        return None
    attempt, tensors = Attempt(operator, framework, "cpu", Settings()), Tensors()
    try:
        attempt.refuse(variant, direction)
        with tensors.watch():
            work = attempt.workload(variant).works[direction]()
            with work.context():
                for step in work.steps(2):  # the first call may prepare something
                    found = recorder(framework)(tensors, step)
    except UnsupportedError:
        return None
    rest = [each for each in found if each.operator not in PREPARING] or found
    return rest[0] if len(rest) == 1 else None
