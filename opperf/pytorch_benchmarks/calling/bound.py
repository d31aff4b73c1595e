"""A call bound to PyTorch's own overload."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from opperf.calls.format.values import CallTensor, Constant
from opperf.calls.measuring.binding import CallBinding
from opperf.calls.measuring.casting import cast_dtype, cast_value
from opperf.calls.measuring.description import contiguous, reach
from opperf.core.checking.tolerance import CANCELING_SUMS, CANCELING_TERMS
from opperf.core.errors import UnsupportedError
from opperf.pytorch_benchmarks.calling.arguments import with_tensors
from opperf.pytorch_benchmarks.calling.flops import count_flop

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.checking.tolerance import Bound
    from opperf.core.tensors.tensor import Array

EXACT = "float64"
BAGS = ("_embedding_bag", "_embedding_bag_forward_only")
ELEMENTWISE = "pointwise"
"""The tag of overloads that compute each element by itself."""


@dataclass(kw_only=True)
class BoundOverload(CallBinding):
    """An overload with a network's arguments.

    Args:
        torch: the framework.
        overload: what is called.
        named: the arguments by their names in the schema, with the kinds of values.
        device: where it is measured.
        judge: what is wrong with results that no reference tells, from arrays.

    """

    torch: Any
    overload: Any
    named: Mapping[str, Any]
    device: str
    judge: Callable[[Sequence[Array], Mapping[str, Any]], str | None] = field(
        default=lambda arrays, named: None  # noqa: ARG005 - nothing is
    )

    def step(self, tensors: Mapping[str, Any]) -> Callable[[], Any]:
        """Return a partial of the overload itself."""
        return self.call(
            with_tensors(self.named, tensors, partial(self.constant, device=self.device))
        )

    def exact_step(self, tensors: Mapping[str, Any]) -> Callable[[], Any]:
        """Return the same in float64 on the CPU."""
        named = {name: cast_value(value, EXACT) for name, value in self.named.items()}
        return self.call(with_tensors(named, tensors, partial(self.constant, device="cpu")))

    def call(self, values: Mapping[str, Any]) -> Callable[[], Any]:
        """Return the overload on these values: by position as far as the schema has positions."""
        positional: list[Any] = []
        by_name: dict[str, Any] = {}
        for argument in self.overload._schema.arguments:  # noqa: SLF001 - its public name is this
            if argument.name not in values:
                by_position = False
            elif argument.kwarg_only or (positional and not by_position):
                by_name[argument.name] = values[argument.name]
                continue
            else:
                by_position = True
                positional.append(values[argument.name])
        return partial(self.overload, *positional, **by_name)

    def constant(self, value: Constant, device: str) -> Any:
        """Return what a constant of a call is in PyTorch; any device is the one measured."""
        if value.kind == "device":
            return self.torch.device(device)
        if value.kind == "float":
            return float(value.name)
        if value.kind == "complex":
            return complex(value.name)
        found = getattr(self.torch, value.name, None)
        if found is None:
            raise UnsupportedError(
                f"PyTorch {self.torch.__version__} has no {value.kind} {value.name}"
            )
        return found

    def tensor(self, flat: Array, name: str) -> Any:
        """Return a tensor of its shape and strides, over memory that it just fills."""
        spec = self.tensors[name]
        return self.laid_out(flat, spec, spec.dtype, self.device)

    def exact_tensor(self, flat: Array, name: str) -> Any:
        """Return the same in float64 on the CPU."""
        spec = self.tensors[name]
        return self.laid_out(flat, spec, cast_dtype(spec.dtype, EXACT), "cpu")

    def laid_out(self, flat: Array, spec: CallTensor, dtype: str, device: str) -> Any:
        """Return a tensor over a copy of these elements."""
        made = self.torch.tensor(flat, dtype=getattr(self.torch, dtype), device=device)
        return made.as_strided(spec.shape, spec.strides or contiguous(spec.shape))

    def assign(self, target: Any, source: Any) -> None:
        """Copy the memory of a tensor over."""
        nbytes = source.untyped_storage().nbytes()
        if nbytes:
            target.untyped_storage().copy_(source.untyped_storage())

    def flatten(self, results: Any) -> list[Any]:
        """Return the tensors of the results in order; numbers and truth values as tensors.

        Of bags of embeddings the sums alone: what else the backward needs is filled by some kernels
        and left empty by others, in float32 and float64 of the same PyTorch.
        """
        name = self.overload.overloadpacket.__name__
        return self.tensors_in(results[0] if name in BAGS else results)

    def tensors_in(self, results: Any) -> list[Any]:
        """Return the tensors of nested sequences in order."""
        if results is None:
            return []
        if isinstance(results, (tuple, list)):
            return [tensor for result in results for tensor in self.tensors_in(result)]
        return [results if isinstance(results, self.torch.Tensor) else self.torch.tensor(results)]

    @cached_property
    def outline(self) -> Any:
        """The results of a call on tensors without memory, None where PyTorch does not know."""
        tensors = {
            name: self.torch.empty(
                reach(spec), dtype=getattr(self.torch, spec.dtype), device="meta"
            ).as_strided(spec.shape, spec.strides or contiguous(spec.shape))
            for name, spec in self.tensors.items()
        }
        named = dict(self.named)
        if any(argument.name == "device" for argument in self.overload._schema.arguments):  # noqa: SLF001
            named["device"] = Constant("device", "meta")
        values = with_tensors(named, tensors, partial(self.constant, device="meta"))
        try:
            with self.torch.no_grad():
                return self.call(values)()
        except Exception:  # noqa: BLE001 - many have no such form, and say so in many ways
            return None

    def output_bytes(self) -> int | None:
        """Return the bytes of the outputs of a call on tensors without memory."""
        if self.outline is None:
            return None
        outputs = self.flatten(self.outline)
        return sum(output.numel() * output.element_size() for output in outputs)

    def flop_count(self, results: Any) -> int | None:
        """Return the FLOP by PyTorch's own formulas, which are of products and convolutions."""
        constants = partial(self.constant, device=self.device)
        call = self.call(with_tensors(self.named, self.shapes(), constants))
        return count_flop(self.overload, call, results)

    def shapes(self) -> dict[str, Any]:
        """Return tensors without memory of the shapes of the call's."""
        make = partial(self.torch.empty, device="meta")
        return {name: make(spec.shape) for name, spec in self.tensors.items()}

    def bound(self, dtype: str) -> Bound:
        """Return the tolerance of terms that cancel, else of sums of many."""
        elementwise = any(tag.name == ELEMENTWISE for tag in self.overload.tags)
        return (CANCELING_TERMS if elementwise else CANCELING_SUMS).bound(dtype)

    def fault(self, results: Any) -> str | None:
        """Return where shape, type or strides are not as PyTorch derives them, or what is drawn."""
        outputs = self.flatten(results)
        if self.outline is not None:
            expected = self.flatten(self.outline)
            for position, (one, other) in enumerate(zip(outputs, expected, strict=True)):
                if form(one) != form(other):
                    return f"output {position} is {form(one)}, expected {form(other)}"
        return self.judge([*map(array_of, outputs)], self.named)


def form(tensor: Any) -> str:
    """Return "float32 (2, 3), strides (3, 1)"."""
    dtype = str(tensor.dtype).removeprefix("torch.")
    return f"{dtype} {tuple(tensor.shape)}, strides {tensor.stride()}"


def array_of(tensor: Any) -> Any:
    """Return a tensor's values in float64."""
    return tensor.detach().cpu().double().numpy()
