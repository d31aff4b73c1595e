"""Networks by name: how a class says which it implements, and how one is made."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, error_text, unknown
from opperf.networks.discovery import Entry, find_entries, library_entry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


def implements(
    name: str, *, title: str, parameters: int | None = None, **keywords: Any
) -> Callable[[type[Any]], type[Any]]:
    """Make a class known as a network: `opperf model --model NAME` makes one of it.

    Args:
        name: what it is asked for by.
        title: what it is called where it was published.
        parameters: how many of its numbers are trained at its usual size.
        keywords: what its constructor is given.

    """
    del title, parameters  # read where they are written, so that a list imports no framework

    def mark(model: type[Any]) -> type[Any]:
        earlier = vars(model).get("implementations", {})
        model.implementations = {name: keywords, **earlier}
        return model

    return mark


def make_model(entry: Entry, size: int | None = None) -> Any:
    """Return a new model with random weights, for inputs of its usual size or another.

    Raises:
        UsageError: it cannot be imported, or made.
    """
    if library_entry(entry.name, entry.framework):
        return import_of(entry).make_library_model(entry.name, size)
    model, keywords = implementation_of(entry)
    try:
        return model(**keywords, **({} if size is None else {"size": size}))
    except Exception as error:
        given = "" if size is None else f" of size {size}"
        raise UsageError(
            f"model {entry.name!r}{given} cannot be made: {error_text(error)}"
        ) from error


def find_entry(name: str, framework: str, folders: Sequence[Path] = ()) -> Entry:
    """Return the network of a name.

    Raises:
        UsageError: there is none; the nearest is named.
    """
    if (found := library_entry(name, framework)) is not None:
        return found
    entries = find_entries(framework, folders)
    if name not in entries:
        raise UsageError(unknown(f"model of {framework}", name, entries))
    return entries[name]


def import_of(entry: Entry) -> Any:
    """Return the module that an entry stands in, imported by its name or by its file.

    Raises:
        UsageError: whatever it raises.
    """
    try:
        if entry.module is not None:
            return import_module(entry.module)
        name = f"opperf_model_{entry.framework}_{entry.path.stem}"
        if name not in sys.modules:
            spec = spec_from_file_location(name, entry.path)
            module = module_from_spec(spec)  # type: ignore[arg-type] # a file of Python has one
            spec.loader.exec_module(module)  # type: ignore[union-attr]
            sys.modules[name] = module
        return sys.modules[name]
    except (Exception, SystemExit) as error:
        raise UsageError(
            f"model {entry.name!r}: {entry.path} cannot be imported: {error_text(error)}"
        ) from error


def implementation_of(entry: Entry) -> tuple[type[Any], dict[str, Any]]:
    """Return the class that implements a network, and what its constructor is given.

    Raises:
        UsageError: it cannot be imported.
    """
    for found in vars(import_of(entry)).values():
        if isinstance(found, type) and entry.name in vars(found).get("implementations", {}):
            return found, vars(found)["implementations"][entry.name]
    raise UsageError(f"model {entry.name!r}: {entry.path} does not define it once imported")
