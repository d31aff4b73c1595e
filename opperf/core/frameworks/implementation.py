"""How a framework computes an operator: its own callable by name, imported when it is bound."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, cast

from opperf.core.errors import UnsupportedError

if TYPE_CHECKING:
    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.limitation import Limitation


@dataclass(frozen=True)
class BoundCall:
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
    may take long in its first call; `limits` says what the framework cannot do with it.
    """

    name: str
    build: Callable[..., Step | BoundCall] | None = None
    rename: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, object] = field(default_factory=dict)
    compiles: bool = False
    limits: tuple[Limitation, ...] = ()

    def implementations(self) -> tuple[Implementation, ...]:
        """Return itself, as the only one of an operator."""
        return (self,)

    def limited(self, *limits: Limitation) -> Implementation:
        """Return it with what the framework cannot do with it, or does wrongly."""
        return replace(self, limits=limits)

    def bind(self, tensors: Sequence[Any], keywords: Mapping[str, object]) -> BoundCall:
        """Return the step that applies the callable to these tensors and attributes."""
        calls = [resolve(name) for name in self.name.split(" + ")]
        if self.build is not None:
            step = self.build(*calls, *tensors, **keywords)
            return step if isinstance(step, BoundCall) else BoundCall(step)
        renamed = {self.rename.get(name, name): value for name, value in keywords.items()}
        (call,) = calls
        return BoundCall(partial(call, *tensors, **renamed, **self.fixed))


@dataclass(frozen=True)
class Fusable:
    """A fused implementation beside the composition of parts that it replaces."""

    fused: Implementation
    unfused: Implementation
    limits: tuple[Limitation, ...] = ()

    def implementations(self) -> tuple[Implementation, ...]:
        """Return both."""
        return self.fused, self.unfused

    def limited(self, *limits: Limitation) -> Fusable:
        """Return it with what the framework cannot do with it, or does wrongly."""
        return replace(self, limits=limits)


@dataclass(frozen=True)
class Absent:
    """That a framework computes no such operator, and why it needs none.

    It computes an operator where it has a call of its own for it, or two or three that a user would
    write in its place.
    """

    why: str

    def implementations(self) -> tuple[Implementation, ...]:
        """Return none."""
        return ()


Table = Mapping[type[Any], "Implementation | Fusable | Absent"]


def collect_tables(package: str) -> Table:
    """Return the `TABLE` of each category's module in a framework's `tables`, as one table."""
    tables = import_module(f"{package}.tables")
    names = sorted(info.name for info in iter_modules(tables.__path__))
    modules = [import_module(f"{package}.tables.{name}") for name in names]
    return {operator: entry for module in modules for operator, entry in module.TABLE.items()}


def native(
    name: str, *, rename: Mapping[str, str] | None = None, **fixed: object
) -> Implementation:
    """Name a framework's callable that takes the operator's inputs in their order."""
    return Implementation(name, rename=rename or {}, fixed=fixed)


def built(
    name: str, build: Callable[..., Step | BoundCall], *, compiles: bool = False
) -> Implementation:
    """Name a framework's callable that needs something built once, before timing starts."""
    return Implementation(name, build=build, compiles=compiles)


def in_turn(bind: Callable[..., Step], count: int, names: int = 1) -> Callable[..., Step]:
    """Return what binds the calls, so many names of them, to one group of tensors after another.

    A group has `count` tensors; the step calls all in turn, in a loop.
    """

    def build(*arguments: Any, **attributes: Any) -> Step:
        calls, tensors = arguments[:names], arguments[names:]
        groups = [tensors[at : at + count] for at in range(0, len(tensors), count)]
        steps = [bind(*calls, *group, **attributes) for group in groups]

        def loop() -> None:
            for step in steps:
                step()

        return loop

    return build


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
