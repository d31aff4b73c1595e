"""A case on a framework: its tensors, its bound calls and what they return."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from opperf.core.checking.correctness import Outputs
from opperf.core.environment.processor import own_cache_bytes
from opperf.core.memory.span import lies_in, lines
from opperf.core.tensors.tensor import CONTIGUOUS, ITEMSIZE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opperf.core.frameworks.device import Device
    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.implementation import BoundCall, Implementation
    from opperf.core.preparing.case import Case
    from opperf.core.tensors.tensor import Array

CORNER = 4
"""Elements along each axis of what stands for an input where its size does not matter."""
PREPARED_BYTES = 256 * 2**20
"""How much memory copies and recorded graphs prepared for one sample may take."""
L2, CACHE_SHARE = 2**20, 4
"""Bytes of a core's own cache where the system does not tell, and the part of it that the copies of
a sample take: what they are restored from and the other inputs lie there as well."""


@dataclass
class Preparation:
    """A case's tensors in a framework, and the bound calls on them."""

    framework: Framework
    case: Case
    implementation: Implementation
    tensors: dict[str, Any] = field(init=False)
    cotangents: list[Any] = field(init=False)
    device: Device = field(init=False)
    ring: list[BoundCopy] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        """Convert inputs and cotangents once."""
        self.device = self.framework.device(self.case.device)
        self.tensors = {name: self.tensor(name) for name in self.case.arrays}
        self.cotangents = [
            self.laid_out(
                self.convert(array, self.case.dtype, differentiable=False), self.case.output_layout
            )
            for array in self.case.cotangents
        ]

    def convert(self, array: Array, dtype: str, *, differentiable: bool) -> Any:
        """Return the array as the framework's tensor."""
        return self.framework.tensor(array, dtype, self.case.device, differentiable=differentiable)

    def laid_out(self, tensor: Any, layout: str) -> Any:
        """Convert a tensor to `layout`; no-op if it is contiguous."""
        return tensor if layout == CONTIGUOUS else self.framework.lay_out(tensor, layout)

    def tensor(self, name: str, most: int | None = None) -> Any:
        """Return a new tensor of this input's values, of so many along each axis at most."""
        declared, array = self.case.tensors[name], self.case.arrays[name]
        converted = self.convert(
            array if most is None else array[(slice(most),) * array.ndim].copy(),
            declared.dtype or self.case.dtype,
            differentiable=bool(self.case.cotangents) and declared.differentiable,
        )
        return self.laid_out(converted, declared.layout)

    def bind(self, tensors: Mapping[str, Any], *, training: bool) -> BoundCall:
        """Return the operator's call on these tensors."""
        case = self.case
        mode = {"training": training} if case.training_mode else {}
        made = {} if tensors else {"dtype": case.dtype, "device": case.device}
        keywords = {**case.attributes, **mode, **made}
        return self.implementation.bind(tuple(tensors.values()), keywords)

    def inputs(self) -> dict[str, Array]:
        """Return what the inputs that the operator does not change are now."""
        changed, array = self.case.mutated(), self.framework.array
        return {name: array(self.tensors[name]) for name in self.tensors if name not in changed}

    def bind_inference(self) -> BoundCall:
        """Bind to the tensors that directions share."""
        return self.bind(self.tensors, training=False)

    def bind_training(self) -> BoundCall:
        """Bind in training mode, with states of its own: inference must not see them change.

        Inputs without a gradient are handed over as the framework's graphs can share them.
        """
        states = {name: self.tensor(name) for name in self.case.states()}
        fixed = {
            name: self.framework.unshare(tensor)
            for name, tensor in self.tensors.items()
            if not self.case.tensors[name].differentiable
        }
        return self.bind({**self.tensors, **fixed, **states}, training=True)

    def copy(self) -> BoundCopy:
        """Return the call bound to copies of its own of the inputs that it changes."""
        mutated = {name: self.tensor(name) for name in self.case.mutated()}
        others = [tensor for name, tensor in self.tensors.items() if name not in mutated]
        bound = self.bind({**self.tensors, **mutated}, training=False)
        return BoundCopy(mutated, self.tensors, bound, self.lines([*others, *mutated.values()]))

    def lines(self, tensors: Sequence[Any]) -> list[Array]:
        """Return a byte of each cache line of these tensors, nothing where they do not stay there.

        They do on the host where the copies of a sample and all inputs fit a core's own cache.
        """
        copies = self.ring_limit() * self.copy_bytes()
        inputs = self.nbytes(self.case.arrays.values())
        return resident_lines(self.framework, self.device, tensors, nbytes=copies + inputs)

    def copy_bytes(self) -> int:
        """Return the bytes of a copy of the inputs that the operator changes."""
        return self.nbytes(self.case.arrays[name] for name in self.case.mutated())

    def nbytes(self, arrays: Iterable[Array]) -> int:
        """Return the bytes of tensors of so many elements, in the operator's dtype."""
        return sum(array.size for array in arrays) * ITEMSIZE[self.case.dtype]

    def corner(self) -> BoundCopy:
        """Return the call bound to a few elements of each input, if the operator can take them."""
        corners = {name: self.tensor(name, CORNER) for name in self.case.arrays}
        mutated = {name: self.tensor(name, CORNER) for name in self.case.mutated()}
        return BoundCopy(mutated, corners, self.bind({**corners, **mutated}, training=False))

    def restore(self, copy: BoundCopy) -> None:
        """Give what a call has changed its values back."""
        for name, tensor in copy.mutated.items():
            self.framework.assign(tensor, copy.pristine[name])

    def leaves(self, bound: BoundCall) -> Sequence[Any]:
        """Return the tensors to differentiate by."""
        if bound.leaves is not None:
            return bound.leaves
        return [self.tensors[name] for name in self.case.differentiable()]

    def heads(self, outputs: Any) -> Sequence[Any]:
        """Return the outputs that are differentiated."""
        # Called inside the clock: written out, `flat` would be one call more.
        outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
        return [outputs[index] for index in self.positions()]

    def positions(self) -> tuple[int, ...]:
        """Return where the differentiable outputs stand."""
        return self.case.differentiable_outputs

    def outputs(self, training: bool) -> Outputs:
        """Run once and return the outputs; of an in-place operator, the inputs it changed."""
        context = self.framework.recording if training else self.framework.inference
        with context():
            if self.case.mutated():
                copy = self.copy()
                copy.bound.step()
                outputs: Any = tuple(copy.mutated.values())
            else:
                bound = (
                    self.bind_training() if training else self.bind(self.tensors, training=False)
                )
                outputs = bound.step()
        outputs = flat(outputs)
        # Their values first: an engine may not have made them yet, and asking it where they lie
        # before would have both allocate them, and the values be lost.
        arrays = [*map(self.framework.array, outputs)]
        return Outputs(
            arrays,
            map(self.framework.dtype, outputs),
            are_views=not self.case.mutated() and self.are_views(outputs),
        )

    def are_views(self, outputs: Sequence[Any]) -> bool:
        """Return whether all outputs lie in the memory of inputs."""
        given = [self.framework.span(tensor) for tensor in self.tensors.values()]
        found = [self.framework.span(tensor) for tensor in outputs]
        return all(any(lies_in(span, other) for other in given) for span in found)

    def gradients(self) -> dict[str, Array]:
        """Run forward and backward once and return the gradient by each differentiable input."""
        bound = self.bind_training()
        with self.framework.recording():
            heads = self.heads(bound.step())
            found = self.framework.gradients(heads, self.leaves(bound), self.cotangents)
        arrays = [self.framework.array(gradient) for gradient in bound.unpack(found)]
        return dict(zip(self.case.differentiable(), arrays, strict=True))

    def prepared_limit(self) -> int:
        """Return how many recorded calls fit, each holding about its inputs and outputs."""
        arrays = (*self.case.arrays.values(), *self.case.cotangents)
        return at_most(self.nbytes(arrays), PREPARED_BYTES)

    def ring_limit(self) -> int:
        """Return how many copies of the changed inputs are restored for one sample.

        They must be found in the core's own cache, as the inputs of other operators are that are
        called again and again, and by every framework alike. A GPU is kept busy by more of them.
        """
        return at_most(self.copy_bytes(), copies_room(self.device))


@dataclass(frozen=True)
class BoundCopy:
    """A call bound to its own copies of the inputs that it changes, and what they are copies of."""

    mutated: Mapping[str, Any]
    pristine: Mapping[str, Any]
    bound: BoundCall
    lines: Sequence[Array] = ()

    def read(self) -> None:
        """Bring into the cache what the call reads, its own copies last."""
        for line in self.lines:
            line.max()


def resident_lines(
    framework: Framework, device: Device, tensors: Sequence[Any], *, nbytes: int
) -> list[Array]:
    """Return a byte of each cache line of tensors, nothing where they do not stay in the cache.

    They do on the host where a core's own cache holds `nbytes`: all that is used in turn.
    """
    if device.name != "cpu" or nbytes > core_cache():
        return []
    spans = [framework.span(tensor) for tensor in tensors]
    return [lines(span) for span in spans if span is not None and span[1]]


def copies_room(device: Device) -> int:
    """Return the bytes that the copies of one sample may take."""
    return core_cache() // CACHE_SHARE if device.name == "cpu" else PREPARED_BYTES


def flat(outputs: Any) -> Sequence[Any]:
    """Return the outputs, one or several, as a sequence."""
    return outputs if isinstance(outputs, (tuple, list)) else (outputs,)


def core_cache() -> int:
    """Return the bytes of a core's own cache."""
    return own_cache_bytes() or L2


def at_most(nbytes: int, room: int) -> int:
    """Return how many times these bytes fit into what one sample may take, once at least."""
    return max(room // max(nbytes, 1), 1)
