"""Seeing each node that MXNet runs for a symbol, with the arrays that it reads and writes."""

from __future__ import annotations

import ctypes
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mxnet

from opperf.calls.format.values import CallTensor
from opperf.core.errors import UsageError, quote
from opperf.mxnet_benchmarks.calling.graph import FORWARD, read_graph

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.mxnet_benchmarks.calling.graph import Graph, Node

HEAD = "_head_grad_"
"""How an executor names what it adds for the gradients that it is given: variables and copies."""
ADDED = "_grad_add"
NamedArray = tuple[str, CallTensor]
"""An array by the name that MXNet's monitor gives it."""


@dataclass(frozen=True)
class Executed:
    """A node as it ran: the arrays that it read and wrote, and which of these somebody wants."""

    node: Node
    inputs: list[CallTensor]
    outputs: list[CallTensor]
    wanted: list[bool]


class Monitor:
    """Notes each array that an executor's nodes write.

    Of what they read MXNet names some, too, but never comes to an end where the backward of an
    older operator (SwapAxis, SliceChannel) does not say how many it reads.
    """

    def __init__(self) -> None:
        self.arrays: list[NamedArray] = []

    def __call__(self, name: Any, handle: int) -> None:
        """Note an array."""
        array = mxnet.nd.NDArray(ctypes.c_void_p(handle), writable=False)
        self.arrays.append((name if isinstance(name, str) else name.decode(), tensor_of(array)))


def tensor_of(array: Any) -> CallTensor:
    """Return an array's shape and element type, and how it is stored where not densely."""
    layout = "strided" if array.stype == "default" else array.stype
    kind = getattr(array.dtype, "__name__", None) or str(array.dtype)
    return CallTensor(tuple(array.shape), kind.removesuffix("_"), layout=layout)


def execute(
    executor: Any, arrays: Mapping[str, Any], gradients: Sequence[Any] | None
) -> list[Executed]:
    """Return the nodes of a step as they run; with gradients of its outputs, of training."""
    graph = read_graph(executor.debug_str())
    monitor = Monitor()
    executor.set_monitor_callback(monitor)
    executor.forward(is_train=gradients is not None)
    if gradients is not None:
        executor.backward([*gradients])
    mxnet.nd.waitall()
    heads = {f"{HEAD}{number}": each for number, each in enumerate(gradients or ())}
    variables = {name: tensor_of(array) for name, array in {**arrays, **heads}.items()}
    return executed(graph, monitor.arrays, variables)


def executed(
    graph: Graph, arrays: Sequence[NamedArray], variables: Mapping[str, CallTensor]
) -> list[Executed]:
    """Return each node with what it read and wrote.

    Raises:
        UsageError: the monitor has seen other nodes than these.
    """
    nodes = graph.nodes
    often = Counter(node.name for node in nodes)
    tensors: dict[str, list[CallTensor]] = {}
    found = []
    for node, written in zip(nodes, outputs_of(nodes, arrays), strict=True):
        inputs = [*inputs_of(node, written, tensors, variables)]
        outputs = written or [*inputs[:1]]
        if often[node.name] == 1:
            tensors[node.name] = outputs
        wanted = [(node.name, index) in graph.wanted for index in range(len(outputs))]
        found.append(Executed(node, inputs, outputs, wanted))
    return found


def outputs_of(nodes: Sequence[Node], arrays: Sequence[NamedArray]) -> list[list[CallTensor]]:
    """Return what each node wrote: nothing where an executor adds a gradient in place.

    A hybridized block runs such a node. Of nodes that sum up gradients several have one name.
    """
    at = 0
    written = []
    for node in nodes:
        names: set[str] = set()
        begin = at
        while at < len(arrays) and arrays[at][0] not in names and node.writes(arrays[at][0]):
            names.add(arrays[at][0])
            at += 1
        written.append([tensor for _, tensor in arrays[begin:at]])
        if begin == at and node.operator != ADDED:
            raise UsageError(f"MXNet's monitor has not seen the outputs of a {node.operator}")
    if at < len(arrays):
        raise UsageError(
            f"MXNet's monitor has seen {quote(arrays[at][0])}, of no node of the graph"
        )
    return written


def inputs_of(
    node: Node,
    outputs: Sequence[CallTensor],
    tensors: Mapping[str, Sequence[CallTensor]],
    variables: Mapping[str, CallTensor],
) -> Iterator[CallTensor]:
    """Yield what a node reads.

    Where the name of what wrote it is no node's alone, it is the gradient of an output of what the
    node differentiates, in their order, or one of the gradients of one shape that are summed up.
    """
    gradients = 0
    if not outputs:  # the sum of two, the second of which is no sum
        yield from [tensors[node.inputs[-1][0]][node.inputs[-1][1]]] * len(node.inputs)
        return
    for source, index in node.inputs:
        made = tensors.get(source) or ()
        if source in variables:
            yield variables[source]
            continue
        if index < len(made):
            yield made[index]
        else:
            yield (tensors[node.made_for] if node.made_for else outputs)[gradients]
        gradients += not FORWARD.fullmatch(source)
