"""What kind of operator a call is of, in the words of our declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.calls.declared.finding import declared_call
from opperf.core.errors import UnsupportedError
from opperf.core.frameworks.calling import MISSING
from opperf.core.frameworks.registry import find_framework
from opperf.declaring.registry import find_operator

if TYPE_CHECKING:
    from opperf.calls.declared.finding import DeclaredCall
    from opperf.calls.format.values import Call


def declaration_of(call: Call, framework: str) -> DeclaredCall | None:
    """Return the declaration that a framework's call is, None where none says just that call."""
    try:
        return declared_call(call, find_framework(framework).calling)
    except UnsupportedError:
        return None


def category_of(call: Call, framework: str) -> str:
    """Return the category of the declaration that a call is, or of those that call its operator.

    What no declaration calls is of the kind "view" or "bookkeeping", or of the framework's own
    namespace: "aten", "mxnet".
    """
    if found := declaration_of(call, framework):
        return found.operator.category
    meaning = find_framework(framework).calling.meaning(call.operator)
    if meaning.declarations:
        return find_operator(meaning.declarations[0]).category
    if meaning.kind != MISSING:
        return meaning.kind
    namespace, dot, _ = call.operator.partition(".")
    return namespace if dot else framework
