"""A call bound to an operator that MXNet has registered."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

from opperf.calls.measuring.binding import CallBinding
from opperf.calls.measuring.casting import cast_dtype
from opperf.core.checking.tolerance import CANCELING_SUMS, CANCELING_TERMS
from opperf.core.errors import UnsupportedError
from opperf.core.tensors.tensor import ITEMSIZE
from opperf.mxnet_benchmarks.calling.arguments import with_dtype
from opperf.mxnet_benchmarks.calling.differentiated import record
from opperf.mxnet_benchmarks.calling.drawn import judge_drawn
from opperf.mxnet_benchmarks.calling.elementwise import is_elementwise
from opperf.mxnet_benchmarks.calling.flops import count_flop
from opperf.mxnet_benchmarks.calling.forward import find_forward, in_float64
from opperf.mxnet_benchmarks.calling.outputs import derive_outputs
from opperf.mxnet_benchmarks.calling.registry import Invocation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.checking.tolerance import Bound
    from opperf.core.frameworks.framework import Framework
    from opperf.core.tensors.tensor import Array
    from opperf.mxnet_benchmarks.calling.arguments import OperatorArguments
    from opperf.mxnet_benchmarks.calling.forward import ForwardCall
    from opperf.mxnet_benchmarks.calling.registry import Registered

EXACT = "float64"


@dataclass(kw_only=True)
class BoundOperator(CallBinding):
    """A registered operator with a network's arguments.

    Args:
        mxnet: the framework's module.
        framework: the framework.
        operator: what is called.
        given: its arguments.
        recorded: whether it runs as the backward of a recorded forward only.

    """

    mxnet: Any
    framework: Framework
    operator: Registered
    given: OperatorArguments
    recorded: bool = False

    def step(self, tensors: Mapping[str, Any]) -> Callable[[], Any]:
        """Return a partial that calls the operator by its name."""
        return self.call(tensors, self.given.attributes)

    def exact_step(self, tensors: Mapping[str, Any]) -> Callable[[], Any]:
        """Return the same in float64."""
        return self.call(tensors, with_dtype(self.given.attributes, EXACT))

    def call(self, tensors: Mapping[str, Any], attributes: Mapping[str, str]) -> Callable[[], Any]:
        """Return the operator on these arrays."""
        arrays = [tensors[name] for name in self.given.arrays]
        outputs = [tensors.get(name) for name in self.given.outputs]
        if not self.recorded:
            return Invocation(self.mxnet, self.operator, arrays, attributes, outputs).step()
        if self.forward is None:
            raise UnsupportedError(
                f"{self.operator.name} is called for a recorded forward only, "
                "and none was found for these arguments"
            )
        taken = {*self.forward.attributes}
        known = {name: text for name, text in attributes.items() if name in taken}
        return record(self.mxnet, self.forward, arrays, outputs, self.given.requests, known)

    @cached_property
    def forward(self) -> ForwardCall | None:
        """The forward that a backward belongs to, None where there is none, or none is known."""
        if not self.operator.is_backward:
            return None
        return find_forward(self.mxnet, self.operator, self.given)

    @cached_property
    def exact_forward(self) -> ForwardCall | None:
        """The same in float64."""
        return find_forward(self.mxnet, self.operator, in_float64(self.given))

    def derive(self, elements: Callable[[str], Array], *, exact: bool) -> Mapping[str, Array]:
        """Return what a backward is given of its forward's outputs."""
        if self.forward is None or not self.forward.made or self.recorded:
            return {}
        forward = self.exact_forward if exact else self.forward
        if forward is None:
            return {}
        names = [*self.given.arrays]
        needed = {*forward.read.values()}
        read = {at: elements(name) for at, name in enumerate(names) if at in needed}
        return {names[at]: made for at, made in forward.outputs(self.mxnet, read).items()}

    def tensor(self, flat: Array, name: str) -> Any:
        """Return an array of its shape."""
        return self.array(flat, name, self.tensors[name].dtype)

    def duplicate(self, tensor: Any) -> Any:
        """Return a copy that the engine makes; what comes from the host it is awaited for."""
        return tensor.copy()

    def exact_tensor(self, flat: Array, name: str) -> Any:
        """Return the same in float64."""
        return self.array(flat, name, cast_dtype(self.tensors[name].dtype, EXACT))

    def array(self, flat: Array, name: str, dtype: str) -> Any:
        """Return an array of these elements."""
        shaped = flat.reshape(self.tensors[name].shape)
        return self.framework.tensor(shaped, dtype, "cpu", differentiable=False)

    def assign(self, target: Any, source: Any) -> None:
        """Copy the values over."""
        self.framework.assign(target, source)

    def flatten(self, results: Any) -> list[Any]:
        """Return the arrays that MXNet has made; those that were handed over are none of them."""
        return [] if self.given.outputs else [*results]

    @cached_property
    def outline(self) -> list[tuple[tuple[int, ...], str]] | None:
        """Shape and element type of each result of a forward, None where MXNet derives none."""
        if self.given.outputs:
            wanted = [self.tensors[name] for name in self.given.outputs if name in self.tensors]
            return [(tensor.shape, tensor.dtype) for tensor in wanted]
        return derive_outputs(self.mxnet, self.operator, self.given)

    def output_bytes(self) -> int | None:
        """Return the bytes of what MXNet makes, by the shapes that it derives."""
        if self.outline is None:
            return None
        made = [] if self.given.outputs else self.outline
        return sum(prod(shape) * ITEMSIZE.get(kind, 8) for shape, kind in made)

    def flop_count(self, results: Any) -> int | None:
        """Return the FLOP of products and convolutions."""
        return count_flop(self.operator.name, self.given, [array.shape for array in results])

    def bound(self, dtype: str) -> Bound:
        """Return the tolerance of terms that cancel, else of sums of many."""
        few = is_elementwise(self.operator.name)
        return (CANCELING_TERMS if few else CANCELING_SUMS).bound(dtype)

    def fault(self, results: Any) -> str | None:
        """Return where shape or element type are not as MXNet derives them, or what is drawn."""
        arrays: Sequence[Array] = [self.framework.array(each) for each in results]
        found = [(array.shape, self.framework.dtype(each)) for array, each in
                 zip(arrays, results, strict=True)]  # fmt: skip
        if self.outline is not None and found != self.outline:
            return f"outputs are {found}, expected {self.outline}"
        return judge_drawn(self.operator.name)(arrays, self.given.attributes)
