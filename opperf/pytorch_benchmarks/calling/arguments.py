"""The arguments of a call as an overload's schema names them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.calls.format.values import CallTensor, Constant
from opperf.core.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.calls.format.values import Call

NO_TENSOR = (bool, int, float, str, Constant, type(None))
TENSOR_LIKE = (CallTensor, bool, int, float, type(None))


def name_arguments(call: Call, schema: Any) -> dict[str, Any]:
    """Return the values by the names of the schema's arguments, in the schema's order.

    Raises:
        UsageError: the overload does not take one of them, or needs another.
    """
    taken = {argument.name: argument for argument in schema.arguments}
    positional = [argument.name for argument in schema.arguments if not argument.kwarg_only]
    given: dict[str, Any] = {}
    for position, argument in enumerate(call.arguments):
        name = argument.name
        if name is None:
            if position >= len(positional):
                most = f"takes {len(positional)} arguments by position, not {position + 1}"
                raise UsageError(f"{call.operator} {most}")
            name = positional[position]
        if name not in taken or name in given:
            fault = "is given twice" if name in given else f"is none of: {', '.join(taken)}"
            raise UsageError(f"{call.operator}: argument {name!r} {fault}")
        given[name] = argument.value
    for name, argument in taken.items():
        if name not in given and not argument.has_default_value() and not argument.is_out:
            raise UsageError(f"{call.operator} needs the argument {name!r}")
        if name in given:
            refuse_other_kind(call.operator, argument, given[name])
    return {name: given[name] for name in taken if name in given}


def refuse_other_kind(operator: str, argument: Any, value: Any) -> None:
    """Refuse a tensor where the schema has none, and what is none where it has.

    A number may stand for a tensor, as PyTorch takes it.

    Raises:
        UsageError: names the argument.
    """
    kind = str(argument.type)
    items = value if isinstance(value, list) else [value]
    fits = TENSOR_LIKE if "Tensor" in kind else NO_TENSOR
    for item in items:
        if not isinstance(item, fits):
            said = "a tensor" if isinstance(item, CallTensor) else text(item)
            raise UsageError(f"{operator}: argument {argument.name!r} must be {kind}, not {said}")


def text(value: Any) -> str:
    """Return a value as an error quotes it."""
    return value.name if isinstance(value, Constant) else quote(value)


def tensors_in(named: Mapping[str, Any]) -> Iterator[tuple[str, CallTensor]]:
    """Yield each tensor by its argument's name, numbered in a list."""
    for name, value in named.items():
        if isinstance(value, CallTensor):
            yield name, value
        elif isinstance(value, list):
            for number, item in enumerate(value):
                if isinstance(item, CallTensor):
                    yield f"{name}[{number}]", item


def with_tensors(
    named: Mapping[str, Any], tensors: Mapping[str, Any], constants: Any
) -> dict[str, Any]:
    """Return the values with tensors and constants of the framework in their places.

    `constants` returns what stands for a constant.
    """

    def put(name: str, value: Any) -> Any:
        if isinstance(value, list):
            return [put(f"{name}[{number}]", item) for number, item in enumerate(value)]
        if isinstance(value, CallTensor):
            return tensors[name]
        return constants(value) if isinstance(value, Constant) else value

    return {name: put(name, value) for name, value in named.items()}
