"""Finding classes and methods by their dotted paths, in a process that may import them.

It needs the standard library only.
"""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from opperf.core.errors import UsageError, error_text, quote, unknown

FILTER = ".filter:"
FORMS = "must be module.Class.method or module.Class.filter:REGEX"
REPORT = "report_benchmark"


def methods_of(name: str) -> list[str]:
    """Return the dotted paths of the methods that one name stands for.

    Args:
        name: `module.Class.method`, or `module.Class.filter:` and a regular expression, for the
            methods whose names it matches from their beginning on.

    Raises:
        UsageError: it stands for none; names the nearest that there is.
    """
    path, filtered, text = name.partition(FILTER)
    if not filtered:
        path, _, method = name.rpartition(".")
        kind = find_class(path, name)
        if not callable(getattr(kind, method, None)):
            raise UsageError(unknown("method", method, benchmark_methods(kind), f" of {path}"))
        return [name]
    kind = find_class(path, name)
    pattern = compile_filter(text)
    every = benchmark_methods(kind)
    chosen = [each for each in every if pattern.match(each)]
    if not chosen:
        listed = ", ".join(every) or "none"
        raise UsageError(f"filter:{text} matches no method of {path}; it has: {listed}")
    return [f"{path}.{each}" for each in chosen]


def compile_filter(text: str) -> re.Pattern[str]:
    """Return the regular expression of a filter."""
    try:
        return re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise UsageError(f"filter:{quote(text)[1:-1]}: no regular expression: {error}") from None


def find_class(path: str, name: str) -> type:
    """Return the class of a dotted path, the last of whose modules is imported.

    Args:
        path: modules, then a class, or a class within one.
        name: what was asked for, as an error quotes it.
    """
    first, *rest = path.split(".")
    if not all(part.isidentifier() for part in (first, *rest)) or not rest:
        raise UsageError(f"{quote(name)}: {FORMS}")
    found: Any = import_part(first, {each.name for each in iter_modules()})
    at = first
    for part in rest:
        if isinstance(found, ModuleType) and not hasattr(found, part):
            folders = getattr(found, "__path__", ())
            classes = {each for each in public_names(found) if isinstance(vars(found)[each], type)}
            names = {each.name for each in iter_modules(folders)} | classes
            found = import_part(part, names, at)
        elif hasattr(found, part):
            found = getattr(found, part)
        else:
            raise UsageError(unknown("name", part, public_names(found), f" in {at}"))
        at = f"{at}.{part}"
    if not isinstance(found, type):
        raise UsageError(f"{at} is a {type(found).__name__}; must be a class")
    return found


def import_part(part: str, names: set[str], parent: str = "") -> ModuleType:
    """Return a module of that name, in a package or at the top."""
    path = f"{parent}.{part}" if parent else part
    try:
        return import_module(path)
    except ModuleNotFoundError as error:
        if error.name == path:
            where = f" in {parent}" if parent else ""
            raise UsageError(unknown("module or class", part, names, where)) from None
        raise UsageError(f"{path} cannot be imported: {error_text(error)}") from None
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever somebody's code raises
        raise UsageError(f"{path} cannot be imported: {error_text(error)}") from None


def public_names(found: object) -> set[str]:
    """Return the names that something has for others."""
    return {name for name in dir(found) if not name.startswith("_")}


def benchmark_methods(kind: type) -> list[str]:
    """Return the methods of a class that may be benchmarks, in alphabetical order.

    Those of the base class that has the first `report_benchmark` are its tools.
    """
    base = reporting_base(kind)
    tools = {REPORT} if base in (kind, None) else {*dir(base)}
    names = public_names(kind) - tools
    return sorted(name for name in names if callable(getattr(kind, name, None)))


def reporting_base(kind: type) -> type | None:
    """Return the class from which a class has its `report_benchmark` in the first place."""
    bases = [base for base in kind.__mro__ if REPORT in vars(base)]
    return bases[-1] if bases else None
