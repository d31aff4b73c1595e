"""The directions of a prepared operator, each stated once: to be timed and to be weighed."""

from __future__ import annotations

from functools import partial
from itertools import cycle, islice, repeat
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.workload import Work, accept_all, no_op_like
from opperf.core.preparing.direction import Direction
from opperf.core.preparing.mutating import Mutating
from opperf.core.preparing.preparation import flat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.implementation import BoundCall
    from opperf.core.preparing.direction import Call
    from opperf.core.preparing.preparation import Preparation


def directions(preparation: Preparation) -> dict[str, Direction]:
    """Return each direction by its name."""
    return {
        "forward": Mutating(preparation) if preparation.case.mutated() else Forward(preparation),
        "forward_recorded": ForwardRecorded(preparation),
        "backward": Backward(preparation),
        "forward_backward": ForwardBackward(preparation),
    }


class Forward(Direction):
    """Inference: nothing is recorded."""

    training = False

    def step(self) -> Step:
        """Return the call bound for inference."""
        return self.preparation.bind_inference().step

    def work(self) -> Work:
        """Repeat the call."""
        step = self.step()
        return Work(
            device=self.preparation.device,
            steps=partial(repeat, step),
            no_op=no_op_like(step),
            context=self.context,
        )

    def call(self, bind: Callable[[], BoundCall]) -> Call:
        """Return the call for its outputs."""
        del bind
        step = self.step()
        return lambda: flat(step())


class ForwardRecorded(Direction):
    """The forward of training: what the backward needs is recorded."""

    def work(self) -> Work:
        """Repeat the recorded call."""
        step = self.preparation.bind_training().step
        return Work(
            device=self.preparation.device,
            steps=partial(repeat, step),
            no_op=no_op_like(step),
            context=self.context,
            limit=self.preparation.prepared_limit(),
        )

    def call(self, bind: Callable[[], BoundCall]) -> Call:
        """Return the recorded call for its outputs."""
        bound = bind()
        return lambda: flat(bound.step())


class Backward(Direction):
    """The backward alone, on graphs recorded outside the clock, each used once."""

    def work(self) -> Work:
        """Record a graph for each call."""
        trained: list[BoundCall] = []

        def graphs(iterations: int) -> Iterable[Step]:
            wanted = 1 if self.preparation.framework.graphs_share_inputs else iterations
            while len(trained) < wanted:
                trained.append(self.preparation.bind_training())
            bounds = islice(cycle(trained), iterations)
            return [graph(self.preparation, bound) for bound in bounds]

        return Work(
            device=self.preparation.device,
            steps=graphs,
            no_op=partial(accept_all),
            context=self.context,
            limit=self.preparation.prepared_limit(),
            method="prepared_graphs",
        )

    def call(self, bind: Callable[[], BoundCall]) -> Call:
        """Return the backward of a graph that is recorded now, for its gradients."""
        prepared, bound = self.preparation, bind()
        heads, leaves = prepared.heads(bound.step()), prepared.leaves(bound)
        return lambda: prepared.framework.gradients(heads, leaves, prepared.cotangents)


class ForwardBackward(Direction):
    """Both in a row, as in training."""

    def work(self) -> Work:
        """Repeat a recorded forward and its backward."""
        prepared = self.preparation
        bound = prepared.bind_training()
        leaves, cotangents, heads = prepared.leaves(bound), prepared.cotangents, prepared.heads
        forward, backward = bound.step, prepared.framework.backward

        def both() -> None:
            backward(heads(forward()), leaves, cotangents)()

        no_op_forward, stand_ins = no_op_like(forward), (None,) * (max(prepared.positions()) + 1)

        def nothing() -> None:
            no_op_forward()
            no_op_backward(heads(stand_ins), leaves, cotangents)()

        return Work(
            device=prepared.device,
            steps=partial(repeat, both),
            no_op=nothing,
            context=self.context,
            limit=prepared.prepared_limit(),
            method="forward_then_backward",
        )

    def call(self, bind: Callable[[], BoundCall]) -> Call:
        """Return both calls in a row, for outputs and gradients."""
        prepared, bound = self.preparation, bind()
        leaves, gradients = prepared.leaves(bound), prepared.framework.gradients

        def both() -> Sequence[Any]:
            outputs = bound.step()
            heads = prepared.heads(outputs)
            return [*flat(outputs), *gradients(heads, leaves, prepared.cotangents)]

        return both


def graph(preparation: Preparation, bound: BoundCall) -> Step:
    """Record one forward and return its backward."""
    return preparation.framework.backward(
        preparation.heads(bound.step()), preparation.leaves(bound), preparation.cotangents
    )


def no_op_backward(
    outputs: Sequence[Any], leaves: Sequence[Any], cotangents: Sequence[Any]
) -> Step:
    """Stand in for a framework's backward with what the harness itself does around it."""
    del outputs, leaves, cotangents
    return partial(accept_all)
