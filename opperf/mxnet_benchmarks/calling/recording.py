"""Calls of MXNet's operators as a calls file states them: inputs first, then attributes."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from mxnet.operator import get_operator_arguments

from opperf.calls.format.values import Argument
from opperf.calls.reading.literals import LiteralParser
from opperf.core.errors import UsageError
from opperf.mxnet_benchmarks.calling.kinds import OUT, filled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.mxnet_benchmarks.calling.capture import Executed

WORDS = {"True": True, "true": True, "False": False, "false": False, "None": None}
NUMBERED = re.compile(r"(?:input|arg)\d+")
"""What the monitor calls an input that has no name."""
ARRAY, ARRAYS = "NDArray-or-Symbol", "NDArray-or-Symbol[]"
BACKWARD = "_backward"
"""How the names of operators begin that nothing but a backward runs."""
HIDDEN = "__"
"""How attributes begin that are no operator's, but of a symbol's own."""


def arguments_of(executed: Executed) -> list[Argument]:
    """Return what a node is given: arrays in the operator's order, then attributes by name.

    The arrays of what only a backward has are without names, and followed by what it writes to:
    their shapes do not follow from those of its inputs.
    """
    node, backward = executed.node, executed.node.operator.startswith(BACKWARD)
    names = () if backward else input_names(node.operator)
    arrays = [
        Argument(None if backward else name_of(name, at, names), tensor)
        for at, (name, tensor) in enumerate(executed.inputs)
    ]
    attributes = [
        Argument(name, literal(text))
        for name, text in sorted(node.attributes.items())
        if not name.startswith(HIDDEN)
    ]
    outputs = [Argument(OUT, [tensor for _, tensor in executed.outputs])] if backward else []
    return filled(node.operator, [*arrays, *attributes, *outputs])


def name_of(name: str, position: int, documented: Sequence[str]) -> str | None:
    """Return an input's name: its own, else as the documentation has it, else none."""
    if not NUMBERED.fullmatch(name):
        return name if name.isidentifier() else None
    return documented[position] if position < len(documented) else None


@cache
def input_names(operator: str) -> tuple[str, ...]:
    """Return the documented names of an operator's arrays, none of one that takes a list."""
    found = get_operator_arguments(operator)
    kinds = dict(zip(found.names, found.types, strict=True))
    if any(kind.startswith(ARRAYS) for kind in kinds.values()):
        return ()
    return tuple(name for name, kind in kinds.items() if kind.startswith(ARRAY))


def literal(text: str) -> Any:
    """Return an attribute's value: a number, a truth value, a list of these, else its text."""
    try:
        value = LiteralParser(text, WORDS, {}).parse()
    except UsageError:
        return text
    return listed(value, text)


def listed(value: Any, text: str) -> Any:
    """Return a sequence as a list; what a calls file has no form for stays as it was written."""
    items = value if isinstance(value, (tuple, list)) else (value,)
    if not all(isinstance(item, (bool, int, float, type(None))) for item in items):
        return text
    return [*items] if isinstance(value, (tuple, list)) else value
