"""Calls of MXNet's operators as a calls file states them: inputs first, then attributes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from mxnet.operator import get_operator_arguments

from opperf.calls.format.values import Argument
from opperf.calls.reading.literals import LiteralParser
from opperf.core.errors import UsageError
from opperf.mxnet_benchmarks.calling.kinds import OUT, filled

if TYPE_CHECKING:
    from opperf.mxnet_benchmarks.calling.capture import Executed

WORDS = {"True": True, "true": True, "False": False, "false": False, "None": None}
ARRAY, ARRAYS = "NDArray-or-Symbol", "NDArray-or-Symbol[]"
CELLS, LSTM = "state_cell", "lstm"
BACKWARD = "backward"
"""What the names of operators have that nothing but a backward runs."""
TRAIN, REQUESTS = "is_train", "grad_req"
"""Arguments that are no operator's: whether it is training, which gradients are to be written."""
TRAINED = frozenset(
    {
        "BatchNorm", "_contrib_SyncBatchNorm", "_contrib_BatchNormWithReLU", "Dropout", "RNN",
        "LeakyReLU", "Pooling", "Convolution", "Deconvolution", "FullyConnected",
    }
)  # fmt: skip
"""Operators whose work depends on whether it is training; in inference oneDNN keeps weights as it
has reordered them once."""
HIDDEN = "__"
"""How attributes begin that are no operator's, but of a symbol's own."""


def arguments_of(executed: Executed, *, training: bool) -> list[Argument]:
    """Return what a node is given: arrays in the operator's order, then attributes by name.

    The arrays of what only a backward has are without names. What it writes to is stated, too, as
    the shapes do not follow from those of its inputs, and which of it to compute; likewise of what
    reads nothing. Training is no attribute, but stands as one where an operator depends on it.
    """
    node, backward = executed.node, BACKWARD in executed.node.operator
    names = () if backward else input_names(node.operator, node.attributes.get("mode"))
    arrays = [
        Argument(names[position] if position < len(names) else None, tensor)
        for position, tensor in enumerate(executed.inputs)
    ]
    attributes = [
        Argument(name, literal(text))
        for name, text in sorted(node.attributes.items())
        if not name.startswith(HIDDEN) and takes_attributes(node.operator)
    ]
    beside: list[Argument] = []
    if backward or not arrays:
        beside.append(Argument(OUT, executed.outputs))
        if backward and not all(executed.wanted):
            asked = ["write" if wanted else "null" for wanted in executed.wanted]
            beside.append(Argument(REQUESTS, asked))
    elif training and node.operator in TRAINED:
        beside.append(Argument(TRAIN, value=True))
    return filled(node.operator, [*arrays, *attributes, *beside])


@cache
def takes_attributes(operator: str) -> bool:
    """Return whether an operator takes any: a copy in a backward keeps those of the forward's."""
    kinds = get_operator_arguments(operator).types
    return not kinds or any(not kind.startswith(ARRAY) or kind.startswith(ARRAYS) for kind in kinds)


@cache
def input_names(operator: str, mode: str | None) -> tuple[str, ...]:
    """Return the documented names of an operator's arrays, none of one that takes a list.

    Only an LSTM has a state of its cells.
    """
    found = get_operator_arguments(operator)
    kinds = dict(zip(found.names, found.types, strict=True))
    if any(kind.startswith(ARRAYS) for kind in kinds.values()):
        return ()
    left_out = CELLS if mode is not None and mode != LSTM else None
    return tuple(
        name for name, kind in kinds.items() if kind.startswith(ARRAY) and name != left_out
    )


def literal(text: str) -> Any:
    """Return an attribute's value: a number, a truth value, a list of these, else its text."""
    try:
        value = LiteralParser(text, WORDS, {}).parse()
    except UsageError:
        return text
    return as_list(value, text)


def as_list(value: Any, text: str) -> Any:
    """Return a sequence as a list; what a calls file has no form for stays as it was written."""
    items = value if isinstance(value, (tuple, list)) else (value,)
    if not all(isinstance(item, (bool, int, float, type(None))) for item in items):
        return text
    return [*items] if isinstance(value, (tuple, list)) else value
