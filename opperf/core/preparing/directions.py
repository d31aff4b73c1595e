"""The work of each direction: what is called inside the clock, and what is prepared outside it."""

from __future__ import annotations

from functools import partial
from itertools import cycle, islice, repeat
from typing import TYPE_CHECKING, Any, Protocol

from opperf.core.frameworks.workload import Work, accept_all, no_op_like

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from opperf.core.frameworks.device import Device, Step
    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.implementation import BoundCall
    from opperf.core.preparing.preparation import BoundCopy, Preparation

RESUMED = 4
"""Calls of a few elements that bring an operator's code back into the caches."""


def works(prepared: Preparation) -> dict[str, Callable[[], Work]]:
    """Return how to make the work of each direction."""
    first = mutating if prepared.case.mutated() else forward
    made = {
        "forward": first,
        "forward_recorded": forward_recorded,
        "backward": backward,
        "forward_backward": forward_backward,
    }
    return {direction: partial(make, prepared) for direction, make in made.items()}


def forward(prepared: Preparation) -> Work:
    """Inference: nothing recorded."""
    step = prepared.bind(prepared.tensors, training=False).step
    return Work(
        device=prepared.device,
        steps=partial(repeat, step),
        no_op=no_op_like(step),
        context=prepared.framework.inference,
    )


def forward_recorded(prepared: Preparation) -> Work:
    """The forward of training: what the backward needs is recorded."""
    step = prepared.trained().step
    return Work(
        device=prepared.device,
        steps=partial(repeat, step),
        no_op=no_op_like(step),
        context=prepared.framework.recording,
        limit=prepared.prepared_limit(),
    )


def backward(prepared: Preparation) -> Work:
    """The backward alone, on graphs recorded outside the clock, each used once."""
    trained: list[BoundCall] = []

    def graphs(iterations: int) -> Iterable[Step]:
        wanted = 1 if prepared.framework.graphs_share_inputs else iterations
        while len(trained) < wanted:
            trained.append(prepared.trained())
        bounds = islice(cycle(trained), iterations)
        return [graph(prepared, bound) for bound in bounds]

    return Work(
        device=prepared.device,
        steps=graphs,
        no_op=partial(accept_all),
        context=prepared.framework.recording,
        limit=prepared.prepared_limit(),
        method="prepared_graphs",
    )


def graph(prepared: Preparation, bound: BoundCall) -> Step:
    """Record one forward and return its backward."""
    return prepared.framework.backward(
        prepared.heads(bound.step()), prepared.leaves(bound), prepared.cotangents
    )


def forward_backward(prepared: Preparation) -> Work:
    """Both in a row, as in training."""
    bound = prepared.trained()
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
        context=prepared.framework.recording,
        limit=prepared.prepared_limit(),
        method="forward_then_backward",
    )


class Restorable(Protocol):
    """What is called on copies of the inputs that it changes, as `Preparation` is."""

    framework: Framework
    device: Device
    ring: list[BoundCopy]

    def copy(self) -> BoundCopy:
        """Return the call bound to copies of its own."""
        ...

    def corner(self) -> BoundCopy:
        """Return the call bound to a few elements of each input, or raise."""
        ...

    def restore(self, copy: BoundCopy, /) -> None:
        """Give what a call has changed its values back."""
        ...

    def ring_limit(self) -> int:
        """Return how many copies are restored for one sample."""
        ...


def mutating(prepared: Restorable) -> Work:
    """An operator that changes its inputs: each call gets a pristine copy of its own.

    Restoring them drives other inputs out of the core's own cache, so that all are read once more,
    and the code of the operator and of the clock. Calls of a few elements, timed, bring that back.
    Where there can be none, and on an engine, which has to wake up for each batch, they lead the
    batch itself, and after them a call on one more copy, during which an engine is handed the next:
    what a batch takes more than what leads it is the calls' own, however few they are.
    """
    device, corners = prepared.device, resuming(prepared)
    within = device.name == "cpu" and (device.constant > 0 or not corners)
    leading = [*corners, prepared.copy()] if within else corners
    lead = [copy.bound.step for copy in leading]

    def fresh(iterations: int) -> Iterable[Step]:
        while len(prepared.ring) < iterations:
            prepared.ring.append(prepared.copy())
        copies = prepared.ring[:iterations]
        for copy in (*leading, *copies):
            prepared.restore(copy)
        device.synchronize()
        for copy in copies:
            copy.read()
        if not within:
            device.time(lead)
        return [copy.bound.step for copy in copies]

    return Work(
        device=device,
        steps=fresh,
        no_op=no_op_like(prepared.copy().bound.step),
        context=prepared.framework.inference,
        limit=prepared.ring_limit(),
        method="pristine_copies",
        lead=lead if within else (),
    )


def resuming(prepared: Restorable) -> Sequence[BoundCopy]:
    """Return calls of a few elements, none where the operator cannot take them."""
    try:
        corners = [prepared.corner() for _ in range(RESUMED)]
        with prepared.framework.inference():
            prepared.device.time([corner.bound.step for corner in corners])
    except Exception:  # noqa: BLE001 - whatever a framework raises, it is done without
        return ()
    return corners


def no_op_backward(
    outputs: Sequence[Any], leaves: Sequence[Any], cotangents: Sequence[Any]
) -> Step:
    """Stand in for a framework's backward with what the harness itself does around it."""
    del outputs, leaves, cotangents
    return partial(accept_all)
