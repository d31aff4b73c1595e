"""From a case to a workload: what every framework's preparation has in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import cycle, islice, repeat
from math import prod
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UnsupportedError
from opperf.core.tensor import ITEMSIZE
from opperf.core.workload import Work, Workload, accept_all, null_like

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from opperf.core.device import Device, Step
    from opperf.core.framework import Bound, Case, Framework, Implementation
    from opperf.core.tensor import Array

PREPARED_BYTES = 256 * 2**20
"""How much memory copies and recorded graphs prepared for one sample may take."""


def prepare(framework: Framework, case: Case) -> Workload:
    """Move the case to the framework's device and return its directions, ready to be timed."""
    implementation = framework.implementation(case.operator, fused=case.fused)
    if implementation is None:
        raise UnsupportedError(
            f"{framework.name} has no implementation of {case.operator.__name__}"
        )
    preparation = Preparation(framework, case, implementation)
    return Workload(
        implementation=implementation.name,
        works=preparation.works(),
        inputs=preparation.inputs,
        outputs=preparation.outputs,
        gradients=preparation.gradients,
    )


@dataclass
class Preparation:
    """A case's tensors in a framework, and the bound calls on them."""

    framework: Framework
    case: Case
    implementation: Implementation
    tensors: dict[str, Any] = field(init=False)
    seeds: list[Any] = field(init=False)
    device: Device = field(init=False)
    ring: list[Copy] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        """Convert inputs and cotangents once."""
        self.device = self.framework.device(self.case.device)
        self.tensors = {name: self.tensor(name) for name in self.case.arrays}
        self.seeds = [
            self.convert(array, self.case.dtype, differentiable=False)
            for array in self.case.cotangents
        ]

    def convert(self, array: Array, dtype: str, *, differentiable: bool) -> Any:
        """Return the array as the framework's tensor."""
        return self.framework.tensor(array, dtype, self.case.device, differentiable=differentiable)

    def tensor(self, name: str) -> Any:
        """Return a new tensor of this input's values."""
        declared = self.case.tensors[name]
        return self.convert(
            self.case.arrays[name],
            declared.dtype or self.case.dtype,
            differentiable=bool(self.case.cotangents) and declared.differentiable,
        )

    def bind(self, tensors: Mapping[str, Any], *, training: bool) -> Bound:
        """Return the operator's call on these tensors."""
        case = self.case
        mode = {"training": training} if case.training_mode else {}
        made = {} if tensors else {"dtype": case.dtype, "device": case.device}
        keywords = {**case.attributes, **mode, **made}
        return self.implementation.bind(tuple(tensors.values()), keywords)

    def works(self) -> dict[str, Callable[[], Work]]:
        """Return how to make the work of each direction."""
        return {
            "forward": self.mutating if self.case.mutated() else self.forward,
            "forward_recorded": self.forward_recorded,
            "backward": self.backward,
            "forward_backward": self.forward_backward,
        }

    def inputs(self) -> Sequence[Array]:
        """Return the inputs' values as they are now, those of a used copy where there is one."""
        mutated = self.ring[0].mutated if self.ring else {}
        tensors = {**self.tensors, **mutated}
        return [self.framework.array(tensor) for tensor in tensors.values()]

    def forward(self) -> Work:
        """Inference: nothing recorded."""
        step = self.bind(self.tensors, training=False).step
        return Work(
            device=self.device,
            steps=partial(repeat, step),
            null=null_like(step),
            context=self.framework.inference,
        )

    def forward_recorded(self) -> Work:
        """The forward of training: what the backward needs is recorded."""
        step = self.trained().step
        return Work(
            device=self.device,
            steps=partial(repeat, step),
            null=null_like(step),
            context=self.framework.recording,
            limit=self.prepared_limit(),
        )

    def backward(self) -> Work:
        """The backward alone, on graphs recorded outside the clock, each used once."""
        trained: list[Bound] = []

        def graphs(iterations: int) -> Iterable[Step]:
            wanted = 1 if self.framework.graphs_share_inputs else iterations
            while len(trained) < wanted:
                trained.append(self.trained())
            bounds = islice(cycle(trained), iterations)
            return [self.graph(bound) for bound in bounds]

        return Work(
            device=self.device,
            steps=graphs,
            null=partial(accept_all),
            context=self.framework.recording,
            limit=self.prepared_limit(),
            method="prepared_graphs",
        )

    def trained(self) -> Bound:
        """Bind in training mode, with states of its own: inference must not see them change.

        Inputs without a gradient are handed over as the framework's graphs can share them.
        """
        states = {name: self.tensor(name) for name in self.case.states()}
        fixed = {
            name: self.framework.unshared(tensor)
            for name, tensor in self.tensors.items()
            if not self.case.tensors[name].differentiable
        }
        return self.bind({**self.tensors, **fixed, **states}, training=True)

    def graph(self, bound: Bound) -> Step:
        """Record one forward and return its backward."""
        return self.framework.backward(self.heads(bound.step()), self.leaves(bound), self.seeds)

    def forward_backward(self) -> Work:
        """Both in a row, as in training."""
        bound = self.trained()
        leaves, seeds, heads = self.leaves(bound), self.seeds, self.heads
        forward, backward = bound.step, self.framework.backward

        def both() -> None:
            backward(heads(forward()), leaves, seeds)()

        null_forward, stand_ins = null_like(forward), (None,) * (max(self.positions()) + 1)

        def nothing() -> None:
            null_forward()
            null_backward(heads(stand_ins), leaves, seeds)()

        return Work(
            device=self.device,
            steps=partial(repeat, both),
            null=nothing,
            context=self.framework.recording,
            limit=self.prepared_limit(),
            method="forward_then_backward",
        )

    def mutating(self) -> Work:
        """An operator that changes its inputs: each call gets a pristine copy of its own."""

        def fresh(iterations: int) -> Iterable[Step]:
            while len(self.ring) < iterations:
                self.ring.append(self.copy())
            copies = self.ring[:iterations]
            for copy in copies:
                for name, tensor in copy.mutated.items():
                    self.framework.assign(tensor, self.tensors[name])
            return [copy.bound.step for copy in copies]

        return Work(
            device=self.device,
            steps=fresh,
            null=null_like(self.copy().bound.step),
            context=self.framework.inference,
            limit=self.ring_limit(),
            method="pristine_copies",
        )

    def copy(self) -> Copy:
        """Return the call bound to copies of its own of the inputs that it changes."""
        mutated = {name: self.tensor(name) for name in self.case.mutated()}
        return Copy(mutated, self.bind({**self.tensors, **mutated}, training=False))

    def leaves(self, bound: Bound) -> Sequence[Any]:
        """Return the tensors to differentiate by."""
        if bound.leaves is not None:
            return bound.leaves
        return [self.tensors[name] for name in self.case.differentiable()]

    def heads(self, outputs: Any) -> Sequence[Any]:
        """Return the outputs that are differentiated."""
        outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
        return [outputs[index] for index in self.positions()]

    def positions(self) -> tuple[int, ...]:
        """Return where the differentiable outputs stand."""
        return self.case.differentiable_outputs

    def outputs(self, training: bool) -> Sequence[Array]:
        """Run once and return the outputs; of an in-place operator, the inputs it changed."""
        context = self.framework.recording if training else self.framework.inference
        with context():
            if self.case.mutated():
                copy = self.copy()
                copy.bound.step()
                outputs: Any = tuple(copy.mutated.values())
            else:
                bound = self.trained() if training else self.bind(self.tensors, training=False)
                outputs = bound.step()
        outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
        return [self.framework.array(output) for output in outputs]

    def gradients(self) -> dict[str, Array]:
        """Run forward and backward once and return the gradient by each differentiable input."""
        bound = self.trained()
        with self.framework.recording():
            heads = self.heads(bound.step())
            found = self.framework.gradients(heads, self.leaves(bound), self.seeds)
        arrays = [self.framework.array(gradient) for gradient in bound.unpack(found)]
        return dict(zip(self.case.differentiable(), arrays, strict=True))

    def prepared_limit(self) -> int:
        """Return how many recorded calls fit, each holding about its inputs and outputs."""
        arrays = (*self.case.arrays.values(), *self.case.cotangents)
        return at_most(sum(array.size for array in arrays) * ITEMSIZE[self.case.dtype])

    def ring_limit(self) -> int:
        """Return how many copies of the changed inputs fit."""
        sizes = [prod(self.case.arrays[name].shape) for name in self.case.mutated()]
        return at_most(sum(sizes) * ITEMSIZE[self.case.dtype])


def null_backward(outputs: Sequence[Any], leaves: Sequence[Any], seeds: Sequence[Any]) -> Step:
    """Stand in for a framework's backward with what the harness itself does around it."""
    del outputs, leaves, seeds
    return partial(accept_all)


@dataclass(frozen=True)
class Copy:
    """A call bound to its own copies of the inputs that it changes."""

    mutated: Mapping[str, Any]
    bound: Bound


def at_most(nbytes: int) -> int:
    """Return how many times these bytes fit into what may be prepared for one sample."""
    return max(PREPARED_BYTES // max(nbytes, 1), 1)
