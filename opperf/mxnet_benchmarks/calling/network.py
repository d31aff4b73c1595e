"""A network in MXNet with example inputs: its step, its calls, its profile."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

import mxnet

from opperf.calls.capturing.source import TRAINING, StepProfile
from opperf.calls.ranking.tally import Tally
from opperf.core.errors import UsageError
from opperf.mxnet_benchmarks.calling.capture import HEAD, execute
from opperf.mxnet_benchmarks.calling.executor import bind
from opperf.mxnet_benchmarks.calling.places import BlockPlaces
from opperf.mxnet_benchmarks.calling.recording import arguments_of
from opperf.mxnet_benchmarks.calling.tracing import flat, trace
from opperf.mxnet_benchmarks.kernels import operator_times

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from opperf.mxnet_benchmarks.calling.tracing import Loss


@dataclass(frozen=True)
class Example:
    """A hybridizable block, what it is called with, a loss of what it returns.

    `module` finds the path of the module that a node of the block's symbol belongs to.
    """

    block: Any
    inputs: tuple[Any, ...]
    module: Callable[[str], str]
    loss: Loss | None = None
    batch: int | None = None


class GluonNetwork:
    """A hybridized block on its example inputs; gradients are overwritten, no optimizer runs.

    The gradient of each output, or of each example's loss, is ones.
    """

    def __init__(self, example: Example, mode: str) -> None:
        self.training = mode == TRAINING
        self.block, self.inputs = example.block, example.inputs
        self.module, self.batch = example.module, example.batch
        self.loss = example.loss if self.training else None
        with self.mode():
            self.traced = trace(self.block, self.inputs, self.loss)
        for part in (self.block, self.loss and self.loss.function):
            if isinstance(part, mxnet.gluon.HybridBlock):
                part.hybridize()
        self.ones: list[Any] = []
        self.order: list[int] = []
        self.shape_parameters()

    def mode(self) -> AbstractContextManager[object]:
        """Return the context in which operators know which mode it is; nothing is recorded."""
        found: AbstractContextManager[object] = (
            mxnet.autograd.train_mode() if self.training else mxnet.autograd.predict_mode()
        )
        return found

    def shape_parameters(self) -> None:
        """Run forward once, which gives those parameters a shape that wait for an input."""
        outputs = self.block(*self.inputs)
        if self.loss is not None:
            outputs = self.loss(outputs)
        self.ones = [mxnet.nd.ones_like(each) for each in flat(outputs)]
        mxnet.nd.waitall()
        for name, each in self.variables.items():
            kinds = each._stype, each._grad_stype  # noqa: SLF001 - Gluon has no public name for it
            if kinds != ("default", "default"):
                raise UsageError(f"its parameter {name!r} is sparse; only dense ones are captured")

    @cached_property
    def variables(self) -> dict[str, Any]:
        """Return the parameters by name, the loss's too."""
        found = dict(self.block.collect_params().items())
        if isinstance(function := self.loss and self.loss.function, mxnet.gluon.Block):
            found |= dict(function.collect_params().items())
        return found

    @property
    def learned(self) -> dict[str, Any]:
        """The parameters that have a gradient."""
        return {name: each for name, each in self.variables.items() if each.grad_req != "null"}

    @property
    def parameters(self) -> int:
        """How many numbers are trained."""
        return sum(prod(each.shape) for each in self.learned.values())

    def step(self) -> None:
        """Make one step: a forward alone, or a recorded one, the loss and a backward."""
        if not self.training:
            self.block(*self.inputs)
            return
        with mxnet.autograd.record():
            outputs = self.block(*self.inputs)
            if self.loss is not None:
                outputs = self.loss(outputs)
        mxnet.autograd.backward([*flat(outputs)], self.ones)

    def calls(self) -> list[dict[str, Any]]:
        """Return the distinct operator calls of a step: the nodes of the graph that it runs."""
        own = self.traced.given | {name: each.data() for name, each in self.variables.items()}
        gradients = {name: each.grad() for name, each in self.learned.items()}
        bound = bind(self.traced.symbol, own, gradients if self.training else {})
        places = BlockPlaces(bound.names, self.traced.network, self.module)
        tally = Tally()
        for executed in execute(bound.executor, bound.arrays, self.ones if self.training else None):
            node = executed.node
            if not node.name.startswith(HEAD):
                given = arguments_of(executed, training=self.training)
                tally.add(node.operator, given, places.place(node))
        self.order = tally.order
        return tally.calls()

    def profile(self, steps: int) -> StepProfile:
        """Return what steps take under MXNet's profiler."""
        times, seconds = operator_times(mxnet, self.step, steps)
        return StepProfile(operators=times, seconds=seconds)
