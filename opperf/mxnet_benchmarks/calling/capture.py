"""Seeing each node that MXNet runs for a symbol, with the arrays that it reads and writes."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mxnet

from opperf.calls.format.values import CallTensor
from opperf.core.errors import UsageError
from opperf.mxnet_benchmarks.calling.graph import nodes_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.mxnet_benchmarks.calling.graph import Node

Seen = tuple[str, CallTensor]
"""An array by the name that MXNet's monitor gives it."""


@dataclass(frozen=True)
class Executed:
    """A node as it ran: its inputs by their names there, and its outputs."""

    node: Node
    inputs: list[Seen]
    outputs: list[Seen]


class Monitor:
    """Notes each array that an executor's nodes read and write."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []

    def __call__(self, name: Any, handle: int) -> None:
        """Note an array."""
        array = mxnet.nd.NDArray(ctypes.c_void_p(handle), writable=False)
        self.seen.append((name if isinstance(name, str) else name.decode(), tensor_of(array)))


def tensor_of(array: Any) -> CallTensor:
    """Return an array's shape and element type, and how it is stored where not densely."""
    layout = "strided" if array.stype == "default" else array.stype
    kind = getattr(array.dtype, "__name__", None) or str(array.dtype)
    return CallTensor(tuple(array.shape), kind.removesuffix("_"), layout=layout)


def execute(executor: Any, gradients: Sequence[Any] | None) -> list[Executed]:
    """Return the nodes of a step as they run; with gradients of its outputs, of training."""
    nodes = nodes_of(executor.debug_str())
    monitor = Monitor()
    executor.set_monitor_callback(monitor, monitor_all=True)
    executor.forward(is_train=gradients is not None)
    if gradients is not None:
        executor.backward([*gradients])
    mxnet.nd.waitall()
    return [*executed(nodes, monitor.seen)]


def executed(nodes: Sequence[Node], seen: Sequence[Seen]) -> Iterator[Executed]:
    """Yield each node with its inputs and outputs, which the monitor names one after the other.

    It names a variable by itself before it names it as an input.

    Raises:
        UsageError: the monitor has not seen what the graph says.
    """
    names = {node.name for node in nodes}
    variables = {source for node in nodes for source, _ in node.inputs} - names
    begins, ends = [], []
    at = 0
    for number, node in enumerate(nodes):
        at = beginning(node, nodes[number - 1] if number else None, variables, seen, at)
        begins.append(at)
        at += len(node.inputs) + sum(source in variables for source, _ in node.inputs)
        ends.append(at)
    for node, begin, end, following in zip(
        nodes, begins, ends, [*begins[1:], len(seen)], strict=True
    ):
        start = f"{node.name}_"
        own = [
            (name.removeprefix(start), tensor)
            for name, tensor in seen[begin:following]
            if name.startswith(start)
        ]
        count = len(node.inputs)
        if end > following or len(own) < count:
            raise UsageError(f"{node.operator}: MXNet's monitor has not seen its inputs")
        yield Executed(node, own[:count], own[count:])


def beginning(
    node: Node, before: Node | None, variables: set[str], seen: Sequence[Seen], at: int
) -> int:
    """Return where a node's arrays begin, behind the outputs of the one before it.

    Nodes that sum up gradients have the same name; each has one output.
    """
    if before is not None and before.name == node.name:
        return at + 1
    source = node.inputs[0][0] if node.inputs else ""
    start = source if source in variables else f"{node.name}_"
    while at < len(seen) and not seen[at][0].startswith(start):
        at += 1
    return at
