"""Which frameworks run a specification: those asked for, with a loader of its format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote, unknown
from opperf.core.frameworks.registry import find_framework, framework_names, require_installed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.specs.format.expanded import ModelSpec


def frameworks_for(model: ModelSpec, named: Sequence[str] | None) -> tuple[str, ...]:
    """Return the frameworks that run a model: those named, else those here with a loader.

    Raises:
        UsageError: none can; names the format, and which framework has which.
    """
    formats = formats_of(named or framework_names())
    if named:
        for name in named:
            check_framework(model, name, formats[name])
        return tuple(named)
    if model.framework is not None:
        name = model.framework
        check_framework(model, name, formats_of([name])[name])
        return (name,)
    having = [name for name, known in formats.items() if model.format in known]
    if not having:
        every = {each for known in formats.values() for each in known}
        raise UsageError(f"{model.place}.format: {unknown('format', model.format, every)}")
    here = tuple(name for name in having if find_framework(name).is_installed())
    if not here:
        require_installed(find_framework(having[0]))
    return here


def formats_of(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the formats that each framework's loaders read; none is imported for that."""
    return {name: tuple(find_framework(name).model_formats) for name in names}


def check_framework(model: ModelSpec, name: str, formats: Sequence[str]) -> None:
    """Refuse a framework that is not the model's, is not here, or has no loader for it."""
    if model.framework not in (None, name):
        raise UsageError(f"{model.place}.framework: is {quote(model.framework)}, not {name!r}")
    if model.format not in formats:
        what = unknown("format", model.format, formats, f" of framework {name!r}")
        raise UsageError(f"{model.place}.format: {what}")
    require_installed(find_framework(name))
