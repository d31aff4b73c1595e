"""An operator in place: each call changes inputs of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.workload import Work, no_op_like
from opperf.core.preparing.direction import Direction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.implementation import BoundCall
    from opperf.core.preparing.direction import Call
    from opperf.core.preparing.preparation import BoundCopy, Preparation

RESUMED = 4
"""Calls of a few elements that bring an operator's code back into the caches."""


class Mutating(Direction):
    """Forward of an operator that changes its inputs: each call gets a pristine copy of its own."""

    training = False

    def work(self) -> Work:
        """Restore the copies outside the clock.

        Restoring them drives other inputs out of the core's own cache, so that all are read once
        more, and the code of the operator and of the clock. Calls of a few elements, timed, bring
        that back. Where there can be none, and on an engine, which has to wake up for each batch,
        they lead the batch itself, and after them a call on one more copy, during which an engine
        is handed the next: what a batch takes more than what leads it is the calls' own, however
        few they are.
        """
        prepared, device = self.preparation, self.preparation.device
        corners = resuming(prepared)
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
            context=self.context,
            limit=prepared.ring_limit(),
            method="pristine_copies",
            lead=lead if within else (),
        )

    def call(self, bind: Callable[[], BoundCall]) -> Call:
        """Return the call for the inputs that it changes."""
        del bind
        copy = self.preparation.copy()

        def changed() -> Sequence[Any]:
            copy.bound.step()
            return [*copy.mutated.values()]

        return changed


def resuming(preparation: Preparation) -> Sequence[BoundCopy]:
    """Return calls of a few elements, none where the operator cannot take them."""
    try:
        corners = [preparation.corner() for _ in range(RESUMED)]
        with preparation.framework.inference():
            preparation.device.time([corner.bound.step for corner in corners])
    except Exception:  # noqa: BLE001 - whatever a framework raises, it is done without
        return ()
    return corners
