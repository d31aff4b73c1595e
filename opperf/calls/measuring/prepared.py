"""A bound call on tensors: what is timed, what it returns, and what must come out."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.calls.measuring.description import BYTES, bytes_of, reach
from opperf.calls.measuring.filling import COUNTED, fill
from opperf.core.checking.correctness import Outputs
from opperf.core.errors import UnsupportedError
from opperf.core.frameworks.implementation import BoundCall
from opperf.core.frameworks.workload import Work, no_op_like
from opperf.core.memory.span import lies_in
from opperf.core.preparing.mutating import work_on_copies
from opperf.core.preparing.preparation import BoundCopy, at_most, copies_room, resident_lines
from opperf.core.timing.sample_warnings import changed_share

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from opperf.calls.measuring.binding import CallBinding
    from opperf.core.frameworks.device import Device
    from opperf.core.frameworks.framework import Framework
    from opperf.core.tensors.tensor import Array

EXACT_ITEMSIZE = 8
LARGE = 64
"""Inputs of one part in so many of the free memory are large."""


@dataclass
class PreparedCall:
    """A call on tensors of its own."""

    framework: Framework
    bound: CallBinding
    device: Device
    seed: int
    ring: list[BoundCopy] = field(init=False, default_factory=list)

    @cached_property
    def tensors(self) -> dict[str, Any]:
        """The tensors, made once."""
        return {name: self.tensor(name) for name in self.bound.tensors}

    @property
    def context(self) -> Callable[[], AbstractContextManager[object]]:
        """The context that calls are made in."""
        return self.bound.context or self.framework.inference

    def flat(self, name: str) -> Array:
        """Return the elements of a tensor's memory, the same each time."""
        return self.derived[name] if name in self.derived else self.draw(name)

    @cached_property
    def derived(self) -> Mapping[str, Array]:
        """The elements of those tensors whose values follow from the others'."""
        return self.bound.derive(self.draw, exact=False)

    def counts_with(self, name: str) -> bool:
        """Return whether a tensor holds whole numbers, in whatever element type."""
        return (self.bound.tensors[name].values or {}).get("kind") in COUNTED

    def draw(self, name: str) -> Array:
        """Return elements from the seed, the same each time."""
        tensor, position = self.bound.tensors[name], [*self.bound.tensors].index(name)
        random = np.random.default_rng((self.seed, position))
        return fill(reach(tensor), tensor.dtype, tensor.values or {}, random)

    @cached_property
    def pristine(self) -> dict[str, Array]:
        """The elements of the tensors that a call changes, drawn once."""
        return {name: self.flat(name) for name in self.bound.changed}

    def tensor(self, name: str) -> Any:
        """Return a new tensor with its values."""
        return self.bound.tensor(self.flat(name), name)

    def alike(self) -> PreparedCall:
        """Return the same call on tensors of its own."""
        other = PreparedCall(self.framework, self.bound, self.device, self.seed)
        other.derived = self.derived
        copies = {name: self.bound.duplicate(tensor) for name, tensor in self.tensors.items()}
        if not any(copy is None for copy in copies.values()):
            other.tensors = copies
        return other

    def nbytes(self, names: Iterable[str]) -> int:
        """Return the bytes of memory of these tensors."""
        tensors = (self.bound.tensors[name] for name in names)
        return sum(reach(tensor) * BYTES.get(tensor.dtype, EXACT_ITEMSIZE) for tensor in tensors)

    def memory_needed(self, free: int) -> int:
        """Return the bytes of all tensors of a call and of its reference, where so many are free.

        The outputs are asked of the framework where there are no inputs to go by, or large ones:
        that may load parts of it that nothing else needs.
        """
        given = self.nbytes(self.bound.tensors)
        returned = self.bound.output_bytes() if not given or LARGE * given > free else None
        here = given + (given if returned is None else returned)
        sizes = [BYTES.get(tensor.dtype, 1) for tensor in self.bound.tensors.values()]
        widened = 1 if self.bound.unchecked else 1 + EXACT_ITEMSIZE // min(sizes, default=4)
        changed, written = self.nbytes(self.bound.changed), self.nbytes(self.bound.written)
        copies = (self.ring_limit() + 1) * changed if changed else 0
        return here * widened + given + written + copies

    def work(self) -> Work:
        """Return what is timed: the call itself, on copies of its own where it changes them."""
        if self.bound.changed:
            return work_on_copies(self)
        step = self.bound.step(self.tensors)
        return Work(
            device=self.device,
            steps=partial(repeat, step),
            no_op=no_op_like(step),
            context=self.context,
        )

    def copy(self) -> BoundCopy:
        """Return the call bound to copies of its own of the tensors that it changes."""
        changed = {name: self.bound.tensor(flat, name) for name, flat in self.pristine.items()}
        tensors = {**self.tensors, **changed}
        nbytes = self.nbytes(tensors) + self.ring_limit() * self.nbytes(changed)
        others = [tensor for name, tensor in self.tensors.items() if name not in changed]
        read = resident_lines(
            self.framework, self.device, [*others, *changed.values()], nbytes=nbytes
        )
        return BoundCopy(changed, self.tensors, BoundCall(self.bound.step(tensors)), read)

    def corner(self) -> BoundCopy:
        """Refuse to call on a few elements: a framework's own operator need not take them."""
        raise UnsupportedError("a call is made with its own arguments only")

    def restore(self, copy: BoundCopy) -> None:
        """Give what a call has changed its values back."""
        for name, tensor in copy.mutated.items():
            self.bound.assign(tensor, copy.pristine[name])

    def ring_limit(self) -> int:
        """Return how many copies of the changed tensors are restored for one sample."""
        return at_most(self.nbytes(self.bound.changed), copies_room(self.device))

    def results(self) -> tuple[Any, dict[str, Any]]:
        """Call once on fresh tensors where it writes; return its results and what it has written.

        What is random is drawn the same each time.
        """
        written = {name: self.tensor(name) for name in self.bound.written}
        step = self.bound.step({**self.tensors, **written})
        self.framework.seed(self.seed)
        with self.context():
            return step(), written

    def outputs(self, results: Any, written: Mapping[str, Any]) -> Outputs:
        """Return as arrays what a call has returned, and after it what it has written to."""
        tensors = [*self.bound.flatten(results), *written.values()]
        arrays = [self.framework.array(tensor) for tensor in tensors]
        dtypes = [self.framework.dtype(tensor) for tensor in tensors]
        return Outputs(arrays, dtypes, are_views=self.are_views(self.bound.flatten(results)))

    def are_views(self, results: Sequence[Any]) -> bool:
        """Return whether there are results, and all lie in memory that is given and only read."""
        if self.bound.written or not results:
            return False
        given = [self.framework.span(tensor) for tensor in self.tensors.values()]
        return all(
            any(lies_in(self.framework.span(result), span) for span in given) for result in results
        )

    def reference(self, change: float = 0.0) -> list[Array]:
        """Return the same in float64 on the host, with the same values.

        Or with values that a `change` of at most this share was made to.
        """

        def near(name: str) -> Array:
            return changed(self.draw(name), 0.0 if self.counts_with(name) else change)

        derived = self.bound.derive(near, exact=True) if change else self.derived
        tensors = {
            name: self.bound.exact_tensor(derived[name] if name in derived else near(name), name)
            for name in self.bound.tensors
        }
        step = self.bound.exact_step(tensors)
        with self.context():
            results = step()
        written = [tensors[name] for name in self.bound.written]
        return [self.framework.array(tensor) for tensor in (*self.bound.flatten(results), *written)]

    def changed_share(self) -> float:
        """Return the share of the values that are to stay, and are not what they were."""
        names = [name for name in self.bound.tensors if name not in self.bound.written]
        array = self.framework.array
        before = (array(self.tensor(name)) for name in names)
        return changed_share(before, (array(self.tensors[name]) for name in names))

    def byte_count(self, results: Any) -> int | None:
        """Return the bytes that a call must move at the least: what it reads and writes, once."""
        returned = self.bound.flatten(results)
        given = [self.framework.span(tensor) for tensor in self.tensors.values()]
        made = 0
        for tensor in returned:
            span = self.framework.span(tensor)
            if span is None:
                return None
            made += 0 if any(lies_in(span, other) for other in given) else span[1]
        read = written = 0
        for name, tensor in self.bound.tensors.items():
            nbytes = bytes_of(tensor)
            if nbytes is None:
                return None
            if name not in self.bound.overwritten:
                read += min(nbytes, made) if name in self.bound.part_read else nbytes
            if name in self.bound.written:
                written += nbytes
        return read + written + made


def changed(flat: Array, share: float) -> Array:
    """Return the numbers, each changed by up to a share of itself; indices as they are."""
    if not share or flat.dtype.kind not in "fc":
        return flat
    random = np.random.default_rng(flat.size)
    factors: Array = random.uniform(1 - share, 1 + share, flat.shape)
    return flat.astype(np.result_type(flat.dtype, float)) * factors
