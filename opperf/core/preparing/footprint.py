"""The memory of one call, in a pass of its own: outputs, workspace, and what a backward needs.

One definition for all frameworks and devices, in bytes:

outputs: where the results lie: those of the operator, the gradients of a backward, both of the two
    in a row, the changed inputs of an operator in place. A view of what the call was given is none.
workspace: what one call takes beside its inputs and its outputs.
saved: what a recorded forward keeps for its backward, inputs, parameters and outputs included.

On the host what is taken is what is written (`opperf.core.memory.pages`); on a GPU it is the peak
of what the framework's allocator has given out. None is what a framework cannot tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from opperf.core.memory.span import lies_in
from opperf.core.preparing.directions import directions
from opperf.core.preparing.preparation import flat
from opperf.core.timing.measure import without_collector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from opperf.core.frameworks.implementation import BoundCall
    from opperf.core.memory.span import Span
    from opperf.core.preparing.direction import Call, Direction
    from opperf.core.preparing.preparation import Preparation


@dataclass
class Footprint:
    """The memory of a prepared operator by direction."""

    preparation: Preparation

    def __call__(self, direction: str) -> dict[str, int | None]:
        """Return the bytes by name; `outputs` is missing where the framework cannot tell."""
        one = directions(self.preparation)[direction]
        with without_collector():
            with one.context():
                found = self.call(one)
            return {**found, "saved": self.saved_bytes if one.training else 0}

    def call(self, direction: Direction) -> dict[str, int | None]:
        """Return the bytes of the outputs and of the workspace of one call."""
        prepared = self.preparation
        framework, mutated = prepared.framework, bool(prepared.case.mutated())
        call = with_wait(prepared, direction.call(self.bind))
        results, taken = framework.watch(prepared.device.name)(call)
        spans = [framework.span(tensor) for tensor in results]
        known = [span for span in spans if span is not None]
        if len(known) < len(spans):
            return {"workspace": None}
        given = [
            framework.span(tensor) for tensor in (*prepared.tensors.values(), *prepared.cotangents)
        ]
        own = merge(span for span in known if not any(lies_in(span, other) for other in given))
        beside = None if taken is None else taken.beside(own, made=not mutated)
        return {"outputs": sum(nbytes for _, nbytes in own), "workspace": beside}

    def kernels(self, direction: str) -> list[str] | None:
        """Return the names of the kernels of one call, None where the framework cannot tell.

        Of a second call: a first one may compile.
        """
        one, device = directions(self.preparation)[direction], self.preparation.device.name
        with one.context():
            one.call(self.bind)()
            return self.preparation.framework.kernels(one.call(self.bind), device)

    def bind(self) -> BoundCall:
        """Return the operator bound in training mode."""
        return self.bind_training

    @cached_property
    def bind_training(self) -> BoundCall:
        """The operator bound in training mode: binding may take long, so it is done once."""
        return self.preparation.bind_training()

    @cached_property
    def saved_bytes(self) -> int | None:
        """The bytes that a recorded forward keeps."""
        return self.preparation.framework.saved_bytes(self.record)

    def record(self, convert: Callable[[Any], Any] | None = None) -> tuple[Any, BoundCall]:
        """Return the outputs of a recorded forward and the call; of `convert` tensors, if told."""
        bound = self.bind_training
        if convert is not None:
            tensors = {name: convert(tensor) for name, tensor in self.preparation.tensors.items()}
            bound = self.preparation.bind(tensors, training=True)
        return flat(bound.step()), bound


def with_wait(preparation: Preparation, call: Call) -> Call:
    """Return the call that also waits for the device."""

    def call_and_wait() -> Sequence[Any]:
        results = call()
        preparation.device.synchronize()
        return results

    preparation.device.synchronize()
    return call_and_wait


def merge(spans: Iterable[Span]) -> list[Span]:
    """Return the spans in ascending order, those that overlap as one."""
    found: list[Span] = []
    for start, nbytes in sorted(spans):
        if found and start < sum(found[-1]):
            first, before = found[-1]
            found[-1] = first, max(before, start + nbytes - first)
        else:
            found.append((start, nbytes))
    return found
