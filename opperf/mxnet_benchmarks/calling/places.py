"""Where in a network a node of its graph belongs: by the names that Gluon gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.calls.capturing.source import LOSS
from opperf.calls.ranking.tally import BACKWARD, FORWARD

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from opperf.calls.ranking.tally import Place
    from opperf.mxnet_benchmarks.calling.graph import Names, Node


class BlockPlaces:
    """The module and the phase of each node; what is no part of the network is its loss."""

    def __init__(
        self, names: Names, network: Collection[str], module: Callable[[str], str]
    ) -> None:
        self.names, self.network, self.module = names, network, module

    def place(self, node: Node) -> Place:
        """Return where a node belongs: one of the backward where what it differentiates does."""
        if node.name in self.names.nodes:
            return self.owner(node.name), FORWARD
        if node.made_for is not None:
            return self.owner(node.made_for), BACKWARD
        return self.summed(node), BACKWARD

    def summed(self, node: Node) -> str:
        """Return the module of what a sum of gradients is the gradient of.

        The gradients that a backward writes are those of its forward's inputs, in their order.
        """
        for source, index in node.inputs:
            differentiated = source.removesuffix("_backward")
            if (found := self.names.producer(differentiated, index)) is not None:
                return self.owner(found)
        return ""

    def owner(self, name: str) -> str:
        """Return the module of a node of the symbol."""
        own = self.names.own(name)
        return self.module(own) if own in self.network else LOSS


def by_prefix(block: Any) -> Callable[[str], str]:
    """Return what finds the path of the block that a node or a parameter is named after."""
    paths: dict[str, str] = {}
    for path, prefix in prefixes(block, ""):
        paths.setdefault(prefix, path)
    longest = sorted(paths, key=len, reverse=True)

    def module(name: str) -> str:
        return next((paths[prefix] for prefix in longest if name.startswith(prefix)), "")

    return module


def prefixes(block: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield the path and the prefix of a block and of all within it."""
    yield path, block.prefix
    for name, child in block._children.items():  # noqa: SLF001 - Gluon has no public name for it
        yield from prefixes(child, f"{path}.{name}".removeprefix("."))
