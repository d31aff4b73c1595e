"""The names that users import: every operator, and a suite function for every category."""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import dataclass
from dis import opname
from functools import cache
from types import new_class
from typing import TYPE_CHECKING, Any

from opperf.core.errors import OpperfError, unknown
from opperf.core.results.collection import Results
from opperf.core.results.older_names import OLDER_NAMES
from opperf.declaring.registry import operators
from opperf.legacy.suites import OLDER_SUITES
from opperf.running.operator import Operator

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import FrameType

    from opperf.declaring.declaration import Declaration


CALLER = 1
"""Frames from `Namespace.find`, which is a module's `__getattr__`, to whoever asks the module."""
PREFIX, SUFFIX = "run_all_", "_operations_benchmarks"


@dataclass(frozen=True)
class Namespace:
    """The names of one framework, or of whichever a user chooses where it is None."""

    framework: str | None = None

    def find(self, name: str) -> Any:
        """Return the operator or function of a name.

        Raises:
            AttributeError: There is no such name; says the nearest one. ImportError where it is
                ``from opperf.nd import NAME`` that asks, so that the user sees the message.
        """
        if name == "__all__":
            return self.names()
        if (today := OLDER_NAMES.get(name, name)) in operators():
            return bind(today, self.framework)
        if name in suites():
            return suite_function(name, self.framework)
        message = unknown("name", name, self.names())
        if is_import(sys._getframe(CALLER)):  # noqa: SLF001 - inspect.stack reads files
            raise ImportError(message)  # Python drops what an AttributeError says there
        raise AttributeError(message)

    def names(self) -> list[str]:
        """Return all names there are."""
        return [*operators(), *suites()]


def is_import(frame: FrameType) -> bool:
    """Return whether what a frame does at present is the second half of ``from X import Y``."""
    return opname[frame.f_code.co_code[frame.f_lasti]] == "IMPORT_FROM"


@cache
def bind(name: str, framework: str | None) -> type[Operator]:
    """Return the operator of this name as a class that can be run, the same each time."""
    return runnable(operators()[name], framework)


def runnable(kind: type[Declaration], framework: str | None = None) -> type[Operator]:
    """Return a declared operator as a class that can be run, on one framework only if given."""
    fixed = {
        "framework_name": framework,
        "table_class": classmethod(lambda _: kind.table_class()),
        "__doc__": kind.__doc__,
        "__module__": kind.__module__,
    }
    return new_class(
        kind.__name__, (Operator, kind), {"abstract": True}, lambda space: space.update(fixed)
    )


@cache
def suites() -> Mapping[str, Sequence[str]]:
    """Return the operators' names of each suite: the older package's, then one a category."""
    categories: dict[str, list[str]] = defaultdict(list)
    for name, kind in operators().items():
        categories[f"{PREFIX}{kind.category}{SUFFIX}"].append(name)
    return {**categories, **OLDER_SUITES}


@cache
def suite_function(name: str, framework: str | None) -> Callable[..., Results]:
    """Return the function that runs a suite."""

    def run(ctx: object = None, inputs: object = None, **options: Any) -> Results:
        return run_suite(name, **{"framework": framework, "ctx": ctx, "inputs": inputs, **options})

    run.__name__ = run.__qualname__ = name
    run.__doc__ = f"Run and print {', '.join(suites()[name])}; see `Operator` for the options."
    return run


def run_suite(name: str, **options: Any) -> Results:
    """Run each operator of a suite in this process, printing the older package's lines.

    An operator that fails says so on stderr and does not hinder the others.
    """
    results = Results()
    for operator in suites()[name]:
        try:
            benchmark = bind(operator, None)(**options)
            results += benchmark.run_benchmark()
        except OpperfError as error:
            print(f"{operator}: {error}", file=sys.stderr)
            continue
        benchmark.print_benchmark_results()
    return results
