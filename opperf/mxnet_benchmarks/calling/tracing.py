"""From a Gluon block and its loss to a symbol: what is called on symbols instead of arrays."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mxnet

from opperf.core.errors import UsageError, error_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True)
class Traced:
    """A network with its loss as a symbol.

    Args:
        symbol: the outputs, or the loss of them.
        network: the names of the nodes that are the network's, not its loss's.
        given: the inputs and targets by their names in the symbol.

    """

    symbol: Any
    network: frozenset[str]
    given: dict[str, Any]


@dataclass(frozen=True)
class Loss:
    """A loss of a network's output, and the targets that it compares with."""

    function: Callable[..., Any]
    targets: tuple[Any, ...] = ()

    def __call__(self, outputs: Any) -> Any:
        """Return the loss, one number an example or one alone."""
        return self.function(outputs, *self.targets)


def trace(block: Any, inputs: tuple[Any, ...], loss: Loss | None) -> Traced:
    """Return the symbol of a network that is called on these inputs.

    Raises:
        UsageError: there is none.
    """
    given: dict[str, Any] = {}
    outputs = composed("it", block, symbols(inputs, given))
    network = group_of(outputs)
    names = frozenset(node["name"] for node in json.loads(network.tojson())["nodes"])
    if loss is None:
        return Traced(network, names, given)
    targets = symbols(loss.targets, given)
    return Traced(group_of(composed("its loss", loss.function, (outputs, *targets))), names, given)


def composed(what: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Return what a block or a loss makes of symbols.

    Raises:
        UsageError: it takes no symbols; what it looks at of an array, a symbol has not.
    """
    try:
        return function(*arguments)
    except Exception as error:  # noqa: BLE001 - whatever somebody's block raises
        said = f"{what} cannot be traced to a symbol: {error_text(error)}"
        raise UsageError(f"{said}; only what can be hybridized is captured") from None


def symbols(values: Any, given: dict[str, Any]) -> Any:
    """Return a variable for each array, and note which is which."""
    if isinstance(values, (list, tuple)):
        return type(values)(symbols(value, given) for value in values)
    name = f"opperf_given{len(given)}"
    given[name] = values
    return mxnet.sym.var(name)


def group_of(outputs: Any) -> Any:
    """Return one symbol of all outputs.

    Raises:
        UsageError: one of them is none.
    """
    found = [*flat(outputs)]
    for each in found:
        if not isinstance(each, mxnet.sym.Symbol):
            raise UsageError(f"it returns {type(each).__name__} where a symbol is expected")
    if not found:
        raise UsageError("it returns nothing")
    symbol = found[0] if len(found) == 1 else mxnet.sym.Group(found)
    for node in json.loads(symbol.tojson())["nodes"]:
        if "subgraphs" in node:
            remedy = "write its steps out, so that each is a call"
            raise UsageError(f"it has {node['op']}, a graph within its graph; {remedy}")
    return symbol


def flat(values: Any) -> Iterator[Any]:
    """Yield what nested lists hold; an array is none."""
    if isinstance(values, (list, tuple)):
        for value in values:
            yield from flat(value)
    else:
        yield values
