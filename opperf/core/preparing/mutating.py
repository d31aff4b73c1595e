"""An operator in place: each call changes inputs of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from opperf.core.frameworks.workload import Work, no_op_like
from opperf.core.preparing.direction import Direction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from opperf.core.frameworks.device import Device, Step
    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.implementation import BoundCall
    from opperf.core.preparing.direction import Call
    from opperf.core.preparing.preparation import BoundCopy

RESUMED = 4
"""Calls of a few elements that bring an operator's code back into the caches."""


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


class Mutating(Direction):
    """Forward of an operator that changes its inputs: each call gets a pristine copy of its own."""

    training = False

    def work(self) -> Work:
        """Restore the copies outside the clock."""
        return work_on_copies(self.preparation)

    def call(self, bind: Callable[[], BoundCall]) -> Call:
        """Return the call for the inputs that it changes."""
        del bind
        copy = self.preparation.copy()

        def changed() -> Sequence[Any]:
            copy.bound.step()
            return [*copy.mutated.values()]

        return changed


def work_on_copies(prepared: Restorable) -> Work:
    """Return the work that restores copies outside the clock, one for each call.

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
        prepared.framework.discard_errors()
        return ()
    return corners
