"""Registry of operators: opperf's own, and those of installed plug-ins."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from inspect import isclass
from pkgutil import walk_packages
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, unknown
from opperf.core.frameworks.implementation import Absent, Fusable, Implementation
from opperf.core.frameworks.registry import find_framework
from opperf.core.plugins import plug_ins, plugin_errors
from opperf.core.results.older_names import OLDER_NAMES
from opperf.declaring.declaration import DECLARED, OPERATORS
from opperf.legacy.declarations import imports_of_today

if TYPE_CHECKING:
    from types import ModuleType

    from opperf.core.frameworks.implementation import Table
    from opperf.declaring.declaration import Declaration

GROUP = "opperf.operators"


@cache
def operators() -> Mapping[str, type[Declaration]]:
    """Return every operator class by its name, category by category.

    A plug-in's module may also hold `TABLES`, its implementations by framework name.

    Raises:
        UsageError: two operators have one name, or one has the older name of another.
    """
    found: dict[str, type[Declaration]] = {}
    for module in (*own_modules(), *plugged_modules()):
        for operator in DECLARED.get(module.__name__, {}).values():
            if today := OLDER_NAMES.get(operator.name()):
                raise UsageError(
                    f"operator {operator.name()!r} is declared by {operator.__module__}, and is "
                    f"the older name of {today}; rename it"
                )
            if found.setdefault(operator.name(), operator) is not operator:
                raise UsageError(
                    f"operator {operator.name()!r} is declared by {operator.__module__} and by "
                    f"{found[operator.name()].__module__}; rename one"
                )
    return found


def own_modules() -> list[ModuleType]:
    """Return the modules of `opperf.operators`, category by category.

    They are found by name, as plug-ins are: nothing here imports what it registers.
    """
    package = import_module(OPERATORS)
    names = sorted(info.name for info in walk_packages(package.__path__, f"{OPERATORS}."))
    return [import_module(name) for name in names]


def plugged_modules() -> list[ModuleType]:
    """Return the plug-ins' modules, with their implementations added to the tables."""
    modules = []
    for point in plug_ins(GROUP):
        with plugin_errors(point), imports_of_today(place_of):
            module = point.load()
            enter_tables(getattr(module, "TABLES", {}))
            modules.append(module)
    return modules


def place_of(name: str) -> str | None:
    """Return the module of an operator of this package, once those are imported."""
    today = OLDER_NAMES.get(name, name)
    return next((module for module, found in DECLARED.items() if today in found), None)


def enter_tables(tables: Mapping[str, Table]) -> None:
    """Add a plug-in's implementations to the frameworks' tables.

    Raises:
        UsageError: they are none.
    """
    if not isinstance(tables, Mapping) or not all(isinstance(t, Mapping) for t in tables.values()):
        raise UsageError("TABLES must be a dict of tables by the framework's name")
    for name, table in tables.items():
        for kind, implementation in table.items():
            if not isclass(kind) or not isinstance(
                implementation, (Implementation, Fusable, Absent)
            ):
                raise UsageError(
                    f"TABLES[{name!r}] must hold implementations by operator, not "
                    f"{type(implementation).__name__} by {type(kind).__name__}"
                )
        find_framework(name).extend(table)


def find_operator(name: str) -> type[Declaration]:
    """Return the operator of this name or older name.

    Raises:
        UsageError: there is none; says the nearest match.
    """
    found = operators().get(OLDER_NAMES.get(name, name))
    if found is None:
        raise UsageError(unknown("operator", name, operators()))
    return found
