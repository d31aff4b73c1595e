"""Binding a network's call to PyTorch: its overload, its arguments, and what its values must be."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UnsupportedError
from opperf.pytorch_benchmarks.calling.arguments import name_arguments, tensors_in
from opperf.pytorch_benchmarks.calling.bound import BoundOverload
from opperf.pytorch_benchmarks.calling.drawn import judge_drawn
from opperf.pytorch_benchmarks.calling.kinds import filled
from opperf.pytorch_benchmarks.calling.overloads import find_overload

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.calls.format.values import Call

SEEDED = "nondeterministic_seeded"
"""The tag of overloads that draw random numbers."""
DROPPED = ("p", "dropout_p", "dropout")
"""Arguments that say which share is dropped; where it is 0, nothing is drawn."""
UNINITIALIZED = (
    "empty", "empty_like", "empty_strided", "empty_permuted", "new_empty", "new_empty_strided",
)  # fmt: skip
OVERWRITING = ("copy_", "fill_", "zero_", "uniform_", "normal_", "bernoulli_", "random_")
"""Those whose result does not depend on what is written to: calling again changes nothing."""
STATES = ("running_mean", "running_var")
"""What normalization in training moves towards the batch's own, which does not change its results
or its work."""
PART_READ: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "embedding": ("weight",), "index_select": ("self",), "gather": ("self",),
        "index": ("self",), "_unsafe_index": ("self",), "take": ("self",),
    }
)  # fmt: skip


def bind_call(torch: Any, call: Call, device: str) -> BoundOverload:
    """Return the call on PyTorch.

    Raises:
        UnsupportedError: this version has no such overload, or makes no such tensor.
        UsageError: the overload does not take the arguments.
    """
    overload = find_overload(torch, call)
    schema = overload._schema  # noqa: SLF001 - PyTorch has no other name for it
    operator = overload.overloadpacket.__name__
    named = filled(operator, name_arguments(call, schema))
    tensors = dict(tensors_in(named))
    for name, tensor in tensors.items():
        if tensor.layout != "strided":
            raise UnsupportedError(f"{name}: tensors of layout {tensor.layout} are not made")
        if not hasattr(torch, tensor.dtype):
            raise UnsupportedError(f"{name}: PyTorch has no element type {tensor.dtype}")
    written = [*written_to(schema, named)]
    trained = "running_mean" in tensors and not written and training(named)
    overwrites = operator in OVERWRITING
    return BoundOverload(
        implementation=f"torch.ops.{overload}",
        tensors=tensors,
        changed=() if overwrites else [name for name, is_out in written if not is_out],
        overwritten=[name for name, is_out in written if is_out or overwrites],
        states=[name for name in STATES if name in tensors] if trained else (),
        unchecked=unchecked(overload, operator, named),
        part_read=PART_READ.get(operator, ()),
        torch=torch,
        overload=overload,
        named=named,
        device=device,
        judge=judge_drawn(operator),
    )


def written_to(schema: Any, named: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """Yield the tensors that an overload writes to, and whether they are there for its results."""
    for argument in schema.arguments:
        if argument.alias_info is not None and argument.alias_info.is_write:
            for name, _ in tensors_in({argument.name: named.get(argument.name)}):
                yield name, argument.is_out


def training(named: Mapping[str, Any]) -> bool:
    """Return whether normalization is asked for as in training."""
    return bool(named.get("training") or named.get("train"))


def unchecked(overload: Any, operator: str, named: Mapping[str, Any]) -> str | None:
    """Return why there is no reference for an overload's results, None where there is one."""
    if operator in UNINITIALIZED:
        return "the result is not initialized; shape, element type and strides were checked"
    if any(tag.name == SEEDED for tag in overload.tags) and not draws_nothing(overload, named):
        return "the result is random; shape, element type, strides and distribution were checked"
    return None


def draws_nothing(overload: Any, named: Mapping[str, Any]) -> bool:
    """Return whether what would be dropped at random is nothing, or it is no training."""
    for argument in overload._schema.arguments:  # noqa: SLF001 - as above
        default = argument.default_value if argument.has_default_value() else None
        value = named.get(argument.name, default)
        if argument.name in DROPPED and isinstance(value, (int, float)) and value == 0:
            return True
        if argument.name in ("train", "training") and value is False:
            return True
    return False
