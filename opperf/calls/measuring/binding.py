"""A call as its framework takes it: what `Framework.bind_call` returns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from opperf.calls.format.values import CallTensor
    from opperf.core.checking.tolerance import Bound
    from opperf.core.tensors.tensor import Array


@dataclass(kw_only=True)
class CallBinding(ABC):
    """A call whose operator the framework has and whose arguments it takes.

    Args:
        implementation: what is called, by its dotted name.
        tensors: the tensors by name, each with the kind of its values.
        changed: the names of those that a call changes, so that the next one needs fresh ones.
        states: the names of those that it moves towards a value and whose values it may keep.
        overwritten: the names of those that it writes and does not read.
        unchecked: why its results are compared with no reference, such as "the result is random".
        part_read: the names of those of which it reads as many elements as it returns.
        context: what a call is made in, None for the framework's inference.

    """

    implementation: str
    tensors: Mapping[str, CallTensor]
    changed: Sequence[str] = ()
    states: Sequence[str] = ()
    overwritten: Sequence[str] = ()
    unchecked: str | None = None
    part_read: Sequence[str] = field(default=())
    context: Callable[[], AbstractContextManager[object]] | None = None

    @property
    def written(self) -> tuple[str, ...]:
        """The names of all tensors that a call writes to."""
        return (*self.changed, *self.states, *self.overwritten)

    @abstractmethod
    def step(self, tensors: Mapping[str, Any]) -> Callable[[], Any]:
        """Return a `functools.partial` of the framework's own callable on these tensors."""

    @abstractmethod
    def exact_step(self, tensors: Mapping[str, Any]) -> Callable[[], Any]:
        """Return the same in float64 on the host, on tensors that are."""

    @abstractmethod
    def tensor(self, flat: Array, name: str) -> Any:
        """Return the tensor of this name, over memory that holds these elements."""

    @abstractmethod
    def exact_tensor(self, flat: Array, name: str) -> Any:
        """Return the same in float64 on the host."""

    def duplicate(self, tensor: Any) -> Any | None:
        """Return a copy of a tensor, None where making it anew is as fast."""
        del tensor
        return None

    def derive(self, elements: Callable[[str], Array], *, exact: bool) -> Mapping[str, Array]:
        """Return the elements of those tensors whose values follow from the others'.

        Such as the outputs of a forward that its backward is given; usually there are none.

        Args:
            elements: returns those of a tensor, by its name, as they were drawn.
            exact: whether they are wanted in float64.

        """
        del elements, exact
        return {}

    @abstractmethod
    def assign(self, target: Any, source: Any) -> None:
        """Copy a tensor's values, all of its memory, to another one like it."""

    @abstractmethod
    def flatten(self, results: Any) -> list[Any]:
        """Return the tensors among what a call has returned, numbers as tensors."""

    @abstractmethod
    def output_bytes(self) -> int | None:
        """Return the bytes that a call's outputs will take, None where that cannot be told."""

    @abstractmethod
    def flop_count(self, results: Any) -> int | None:
        """Return the FLOP of a call that has returned these results, None where nobody counts."""

    @abstractmethod
    def bound(self, dtype: str) -> Bound:
        """Return how far results of an element type may be from those in float64."""

    @abstractmethod
    def fault(self, results: Any) -> str | None:
        """Return what is wrong with results that are compared with no reference."""
