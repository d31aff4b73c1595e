"""Where in a network a call is made: hooks say which module runs, autograd whose backward it is.

Autograd numbers the nodes of its graph as a forward makes them. So the numbers at which modules
begin and end say of each node which module made it, and the backward of a node is that module's.
"""

from __future__ import annotations

from bisect import bisect_right
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch
from torch.autograd import _get_sequence_nr
from torch.nn.modules.module import (
    register_module_forward_hook,
    register_module_forward_pre_hook,
)

from opperf.calls.ranking.tally import FORWARD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.calls.ranking.tally import Place


class Places:
    """The modules that run at this moment, and the autograd nodes that each has made."""

    def __init__(self, network: Any) -> None:
        self.names = {module: name for name, module in network.named_modules()}
        self.owners = {
            parameter: name
            for name, module in network.named_modules()
            for parameter in module.parameters(recurse=False)
        }
        self.running: list[str] = []
        self.numbers: list[int] = []
        self.makers: list[str] = []
        self.outside = ""
        self.phase = FORWARD

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Follow each module as it begins and ends."""
        hooks = [
            register_module_forward_pre_hook(self.enter),
            register_module_forward_hook(self.leave, always_call=True),
        ]
        try:
            yield
        finally:
            for hook in hooks:
                hook.remove()

    def begin(self, outside: str, phase: str) -> None:
        """Note what is made outside of modules from now on, and in which phase."""
        self.outside, self.phase = outside, phase
        self.note()

    def enter(self, module: Any, _inputs: Any) -> None:
        """Note that a module begins; what is no part of the network belongs to what calls it."""
        self.running.append(self.names.get(module, self.current()))
        self.note()

    def leave(self, _module: Any, _inputs: Any, _outputs: Any) -> None:
        """Note that a module ends."""
        self.running.pop()
        self.note()

    def note(self) -> None:
        """Note from which number on nodes are the current module's."""
        self.numbers.append(_get_sequence_nr())
        self.makers.append(self.current())

    def current(self) -> str:
        """Return the path of the module that runs."""
        return self.running[-1] if self.running else self.outside

    def place(self) -> Place:
        """Return the module and the phase that a call made now belongs to.

        A module that runs within a backward computes anew what was not kept.
        """
        node = torch._C._current_autograd_node()  # noqa: SLF001 - nothing public tells
        if node is None or self.running:
            return self.current(), self.phase
        return self.maker(node), self.phase

    def maker(self, node: Any) -> str:
        """Return the module whose forward made a node, or whose parameter it adds up."""
        if (parameter := getattr(node, "variable", None)) is not None:
            return self.owners.get(parameter, self.outside)
        position = bisect_right(self.numbers, node._sequence_nr()) - 1  # noqa: SLF001 - as above
        return self.makers[position] if position >= 0 else self.outside
