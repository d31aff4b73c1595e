"""The graph that MXNet runs for a network, as it prints it: each node, forward and backward."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HEAD = re.compile(r"Op:(?P<operator>\S+), Name=(?P<name>\S*)")
SOURCE = re.compile(r"\t(?:arg|cdep)\[\d+\]=(?P<name>\S+?)(?:\((?P<index>\d+)\).*)?")
RESULT = re.compile(r"\toutput\[\d+\]=(?P<name>\S*)\((?P<index>\d+)\)")
ATTRIBUTE = re.compile(r"\t(?P<name>\w+)=(?P<text>.*)")
FORWARD = re.compile(r"n\d+")
"""The plain names of a symbol's nodes; those of its backward are longer."""
OUTPUT = re.compile(r"_?output\d*")
DIFFERENTIATED = "backward"
VARIABLE = "null"
"""What a symbol's JSON has for an operator where a node is an input or a parameter."""
INPUTS, ATTRIBUTES, DEPENDENCIES = "Inputs:", "Attrs:", "Control deps:"


@dataclass
class Node:
    """An operator of a graph: which outputs of others it is given, with which attributes.

    `made_for` is the node of the forward that one of the backward differentiates.
    """

    operator: str
    name: str
    inputs: list[tuple[str, int]] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)
    made_for: str | None = None

    def writes(self, name: str) -> bool:
        """Return whether it is an output of this node that the monitor calls so."""
        prefix = f"{self.name}_" if self.name else ""
        output = name.removeprefix(prefix)
        if not name.startswith(prefix):
            return False
        if FORWARD.match(self.name) is None:
            return OUTPUT.fullmatch(output) is not None
        # Outputs may have names, such as mean; those of its backward begin with the same.
        return not (FORWARD.fullmatch(self.name) and output.startswith(DIFFERENTIATED))


@dataclass(frozen=True)
class Graph:
    """The nodes in the order in which they run, and which outputs somebody wants."""

    nodes: list[Node]
    wanted: set[tuple[str, int]]


def read_graph(text: str) -> Graph:
    """Return the graph that `Executor.debug_str` prints."""
    nodes: list[Node] = []
    wanted: set[tuple[str, int]] = set()
    section = ""
    for line in text.splitlines():
        if found := HEAD.fullmatch(line):
            nodes.append(Node(found["operator"], found["name"]))
        elif line.endswith(":") and not line.startswith("\t"):
            section = line
        elif found := RESULT.fullmatch(line):
            wanted.add((found["name"], int(found["index"])))
        elif nodes and line.startswith("\t"):
            add_line(nodes[-1], section, line)
    wanted |= {source for node in nodes for source in node.inputs}
    return Graph(nodes, wanted)


def add_line(node: Node, section: str, line: str) -> None:
    """Add an indented line of a node's section to it."""
    if section == ATTRIBUTES and (found := ATTRIBUTE.fullmatch(line)):
        node.attributes[found["name"]] = found["text"]
    elif section == INPUTS and (found := SOURCE.fullmatch(line)):
        node.inputs.append((found["name"], int(found["index"])))
    elif section == DEPENDENCIES and (found := SOURCE.fullmatch(line)):
        node.made_for = node.made_for or found["name"]


@dataclass(frozen=True)
class Names:
    """A symbol whose nodes have plain names, each its own, and what their own names were.

    Gluon names the nodes of a block that is called twice alike, and a file may name them anyhow.
    """

    symbol: Any
    nodes: Mapping[str, Mapping[str, Any]]
    """The symbol's nodes as its JSON has them, by their plain names."""
    order: tuple[str, ...]

    def own(self, name: str) -> str:
        """Return the name that a node had."""
        return str(self.nodes[name]["name"])

    def variables(self) -> Iterator[str]:
        """Yield the plain names of inputs and parameters."""
        for name, node in self.nodes.items():
            if node["op"] == VARIABLE:
                yield name

    def producer(self, name: str, index: int) -> str | None:
        """Return the node that makes a node's input, None where it has no such input."""
        inputs = self.nodes[name]["inputs"] if name in self.nodes else ()
        return self.order[inputs[index][0]] if index < len(inputs) else None


def with_plain_names(mxnet: Any, symbol: Any) -> Names:
    """Return the same symbol with names that no line of a print is taken for."""
    document = json.loads(symbol.tojson())
    nodes = {f"n{number:06d}": node for number, node in enumerate(document["nodes"])}
    renamed = [{**node, "name": name} for name, node in nodes.items()]
    text = json.dumps({**document, "nodes": renamed})
    return Names(mxnet.sym.load_json(text), nodes, tuple(nodes))
