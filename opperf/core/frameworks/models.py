"""Models from files: what a framework's loaders are given, and what they return."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from opperf.core.errors import UsageError, quote, unknown

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.core.frameworks.device import Step

TRUST = "--trust-model reads it all the same"
"""The remedy for what would run code of the model's author."""


def tensors_of(value: Any) -> list[Any]:
    """Return the tensors of what a model returns: of tuples, lists and mappings in their order."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [tensor for each in value for tensor in tensors_of(each)]
    return [] if value is None else [value]


@dataclass(frozen=True, kw_only=True)
class ModelFiles:
    """A model as it is stored.

    Args:
        name: as reports call it.
        format: which loader reads it.
        files: by the role that the loader knows them by.
        options: of the loader.
        trust: whether code of the model's author may run.

    """

    name: str
    format: str
    files: Mapping[str, Path] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    trust: bool = False

    def file(self, role: str) -> Path:
        """Return the file of a role.

        Raises:
            UsageError: there is none, or it is no file.
        """
        path = self.files.get(role)
        if path is None:
            raise UsageError(f"{self}: it has no file {role!r}, which the format needs")
        if not path.is_file():
            raise UsageError(f"{self}: there is no file {quote(str(path))}")
        return path

    def option(self, name: str, kind: type[Any], default: Any) -> Any:
        """Return an option.

        Raises:
            UsageError: it is of another type.
        """
        value = self.options.get(name, default)
        if not isinstance(value, kind):
            raise UsageError(f"{self}: options.{name} is {quote(value)}; must be {kind.__name__}")
        return value

    def check_options(self, *names: str) -> None:
        """Refuse options that the loader does not know.

        Raises:
            UsageError: there is one.
        """
        for name in self.options:
            if name not in names:
                raise UsageError(f"{self}: {unknown('option', name, names)}")

    def require_trust(self, why: str) -> None:
        """Refuse a model that can run any code, unless it is trusted.

        Raises:
            UsageError: it is not.
        """
        if not self.trust:
            raise UsageError(f"{self}: {why}; {TRUST}")

    def __str__(self) -> str:
        return f"model {quote(self.name)} ({self.format})"


@dataclass(frozen=True, kw_only=True)
class LoadedModel:
    """A model in inference mode.

    Args:
        inputs: the names of its inputs in the order of the call; none where the format has none.
        outputs: the names of its outputs, likewise.
        make_step: from the tensors of the inputs to the model's call, which is what is timed.
        unpack: from what the call returns to its tensors.

    """

    inputs: tuple[str, ...]
    make_step: Callable[[Sequence[Any]], Step]
    outputs: tuple[str, ...] = ()
    unpack: Callable[[Any], list[Any]] = tensors_of

    def order(self, names: Sequence[str]) -> list[int]:
        """Return which of the inputs that are given by name goes where in the call.

        Raises:
            UsageError: one is missing, or the model has no such input.
        """
        if not self.inputs:
            return list(range(len(names)))
        for name in names:
            if name not in self.inputs:
                raise UsageError(unknown("input", name, self.inputs, " of the model"))
        for name in self.inputs:
            if name not in names:
                raise UsageError(f"the model's input {quote(name)} is not given")
        return [list(names).index(name) for name in self.inputs]

    def bind(self, tensors: Sequence[Any]) -> Step:
        """Return the call on these tensors.

        Raises:
            UsageError: they are not as many as the inputs.
        """
        if self.inputs and len(tensors) != len(self.inputs):
            listed = ", ".join(self.inputs)
            raise UsageError(
                f"the model takes {len(self.inputs)} inputs ({listed}), not {len(tensors)}"
            )
        return self.make_step(tensors)

    def __call__(self, tensors: Sequence[Any]) -> list[Any]:
        """Return the tensors that the model computes of these."""
        return self.unpack(self.bind(tensors)())


Loader = Callable[[Any, ModelFiles, str], LoadedModel]


def find_loader(framework: str, loaders: Mapping[str, str], model: ModelFiles) -> Loader:
    """Return the function that loads models of a format.

    Raises:
        UsageError: the framework has none.
    """
    if model.format not in loaders:
        raise UsageError(
            f"model {quote(model.name)}: "
            + unknown("format", model.format, loaders, f" of {framework}")
        )
    module, _, name = loaders[model.format].partition(":")
    return cast("Loader", getattr(import_module(module), name))
