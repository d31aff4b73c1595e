"""Binding a symbol to a network's own arrays, so that each of its nodes can be watched."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mxnet

from opperf.core.errors import UsageError, quote
from opperf.mxnet_benchmarks.calling.graph import with_plain_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.mxnet_benchmarks.calling.graph import Names

SUBGRAPHS = "MXNET_SUBGRAPH_BACKEND"
"""What fuses the nodes of an executor; of a hybridized block nothing fuses them unless asked."""


@dataclass(frozen=True)
class BoundSymbol:
    """A symbol under plain names, its executor, and its arrays by these names."""

    names: Names
    executor: Any
    arrays: Mapping[str, Any]


def bind(symbol: Any, own: Mapping[str, Any], gradients: Mapping[str, Any]) -> BoundSymbol:
    """Bind a symbol.

    Args:
        symbol: what is bound.
        own: inputs and parameters by their names in it.
        gradients: where the gradients are written to of those that have one.

    Raises:
        UsageError: there is no array of a name.

    """
    names = with_plain_names(mxnet, symbol)
    arrays, differentiated = {}, {}
    for name in names.variables():
        if (known := names.own(name)) not in own:
            raise UsageError(f"nothing is known to put in the place of its variable {quote(known)}")
        arrays[name] = own[known]
        if known in gradients:
            differentiated[name] = gradients[known]
    arguments = names.symbol.list_arguments()
    states = names.symbol.list_auxiliary_states()
    with unfused():
        executor = names.symbol.bind(
            mxnet.cpu(),
            args={name: arrays[name] for name in arguments},
            args_grad=differentiated,
            grad_req={name: "write" if name in differentiated else "null" for name in arguments},
            aux_states={name: arrays[name] for name in states},
        )
    return BoundSymbol(names, executor, arrays)


@contextmanager
def unfused() -> Iterator[None]:
    """Let no backend replace nodes of what is bound within."""
    before = os.environ.get(SUBGRAPHS)
    os.environ[SUBGRAPHS] = "NONE"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SUBGRAPHS]
        else:
            os.environ[SUBGRAPHS] = before
