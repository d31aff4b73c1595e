"""Declarations written for opperf before 2026-11-23: refused with the spelling of today."""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from inspect import signature
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError
from opperf.core.frameworks.variant import variants_of_today
from opperf.core.results.older_names import IN_KEYS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LIMITED = "a limitation stands in TABLES, beside the callable: native(...).limited(Limitation(...))"
CHECKS = ("check_outputs", "check_gradients")
TAKEN = 2
"""Arguments of a check: itself and its `Check`."""
TOOLS = (
    "accumulation", "composition", "decompositions", "elementwise", "layouts", "moving",
    "one_gradient", "registry", "ties", "windows",
)  # fmt: skip
MODULES = {
    **{f"opperf.operators.{name}": f"opperf.declaring.{name}" for name in TOOLS},
    "opperf.operators.absence": f"gone: {LIMITED}",
    "opperf.operators.gaps": f"gone: {LIMITED}",
    "opperf.operator": "opperf.declaring.declaration, and Operator is Declaration there",
    "opperf.declaration": "opperf.declaring.declaration",
    "opperf.counts": "opperf.declaring.counts",
    "opperf.description": "opperf.declaring.description",
}
"""Where a module stands that plug-ins import."""
NAMES = {
    "moved": "gather_gradient",
    "tied": "find_ties",
    "Choosing": "TieSensitive",
    "Composed": "Composition",
    "LaidOut": "WithLayouts",
    "ChannelsAtEnd": "WithChannelsLast",
    "Neighboring": "CloseValues",
}
"""What the modules of `opperf.declaring` call it now."""
NAME = re.compile(r"cannot import name '(\w+)' from '(opperf\.(?:operators|declaring)\.\w+)'")


def refuse_older(kind: type) -> None:
    """Refuse a declaration that states what has moved or has another signature.

    Raises:
        UsageError: says the spelling of today.
    """
    if "limitations" in vars(kind):
        raise UsageError(f"operator {kind.__name__} states `limitations`; {LIMITED}")
    if "declared" in vars(kind):
        raise UsageError(f"operator {kind.__name__}: `declared` is `table_class`")
    for name in CHECKS:
        if name in vars(kind) and len(signature(vars(kind)[name]).parameters) > TAKEN:
            raise UsageError(
                f"operator {kind.__name__}: {name} takes one value, "
                "opperf.core.checking.check.Check: check.actual, check.expected, check.arrays, ..."
            )


def keep_older_name(kind: type) -> None:
    """Let an operator of this package be imported by its older name, where it has one."""
    if older := IN_KEYS.get(kind.__name__):
        setattr(sys.modules[kind.__module__], older, kind)


@contextmanager
def imports_of_today(place: Callable[[str], str | None]) -> Iterator[None]:
    """Make an error of an import that used to work, or of a limitation, one that says what does.

    `place` returns the module that declares the operator of a name.

    Raises:
        UsageError: says the spelling of today.
    """
    try:
        with variants_of_today():
            yield
    except ModuleNotFoundError as error:
        if error.name in MODULES:
            raise UsageError(f"{error.name} is {MODULES[error.name]}") from error
        raise
    except ImportError as error:
        found = NAME.search(str(error))
        if found and (module := place(found[1])):
            raise UsageError(f"{found[1]} of {found[2]} is in {module}") from error
        if found and found[1] in NAMES:
            raise UsageError(f"{found[1]} of {found[2]} is {NAMES[found[1]]}") from error
        raise
    except TypeError as error:
        if "Limitation.__init__() got an unexpected keyword argument 'framework'" in str(error):
            raise UsageError(LIMITED) from error
        raise
