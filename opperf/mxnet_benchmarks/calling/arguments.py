"""The arguments of a call as MXNet takes them: arrays in order, attributes as text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from opperf.calls.format.values import CallTensor, Constant
from opperf.calls.measuring.description import contiguous
from opperf.core.errors import UnsupportedError, UsageError, quote
from opperf.mxnet_benchmarks.calling.kinds import filled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.calls.format.values import Argument, Call
    from opperf.mxnet_benchmarks.calling.registry import Registered

OUT, REQUESTS, TRAINING = "out", "grad_req", "is_train"
"""What is written to; whether each of it is wanted; whether a forward is one of a training step."""
WANTED = ("write", "add", "null")
"""What MXNet may be asked to do with an output: write it, add to what is there, leave it out."""
DTYPES = ("float16", "bfloat16", "float32", "float64", "uint8", "int8", "int32", "int64", "bool")


@dataclass(frozen=True, kw_only=True)
class OperatorArguments:
    """What an operator is given.

    Args:
        arrays: the arrays that it reads, in its own order, by their names in the call.
        outputs: the arrays that it writes to; of a forward operator none, MXNet makes them.
        requests: what is to be done with each output, "write", "add" or "null".
        attributes: all else, as text.
        training: whether it is called as in training.

    """

    arrays: Mapping[str, CallTensor]
    outputs: Mapping[str, CallTensor]
    requests: tuple[str, ...]
    attributes: Mapping[str, str]
    training: bool


def read_arguments(call: Call, operator: Registered) -> OperatorArguments:
    """Return what a call gives an operator.

    Raises:
        UnsupportedError: MXNet has no such array.
        UsageError: the operator does not take the arguments.
    """
    stated = replace(call, arguments=tuple(filled(call.operator, call.arguments)))
    backward = operator.is_backward
    outputs = {name: each for name, each in stated.tensors() if name.partition("[")[0] == OUT}
    given = {name: each for name, each in stated.tensors() if name not in outputs}
    for name, tensor in (*given.items(), *outputs.items()):
        refuse_other_arrays(name, tensor)
    if backward and not outputs:
        shapes = "the shapes of what it writes, of which MXNet derives none here"
        raise UsageError(f"{operator.name} needs the argument {OUT!r}: a list of arrays, {shapes}")
    training, requests = specials(stated, len(outputs))
    attributes = dict(attributes_of(stated, operator))
    if not backward and operator.counted_by and operator.counted_by not in attributes:
        attributes[operator.counted_by] = str(len(given))
    return OperatorArguments(
        arrays=given if backward or operator.many else in_order(given, operator),
        outputs=outputs,
        requests=requests,
        attributes=attributes,
        training=training or backward,
    )


def refuse_other_arrays(name: str, tensor: CallTensor) -> None:
    """Refuse what MXNet makes no array of.

    Raises:
        UnsupportedError: names the array.
    """
    if tensor.layout != "strided":
        raise UnsupportedError(f"{name}: arrays of layout {tensor.layout} are not made")
    if tensor.strides not in (None, contiguous(tensor.shape)):
        raise UnsupportedError(f"{name}: MXNet's arrays lie row by row, not by strides")
    if tensor.dtype not in DTYPES:
        raise UnsupportedError(f"{name}: MXNet has no element type {tensor.dtype}")
    if not tensor.elements or not tensor.shape:
        raise UnsupportedError(f"{name}: MXNet's arrays have one element at the least, and an axis")


def in_order(given: Mapping[str, CallTensor], operator: Registered) -> Mapping[str, CallTensor]:
    """Return the arrays in the operator's own order; those without a name fill it up.

    Raises:
        UsageError: one is none of the operator's.
    """
    unknown = [name for name in given if name not in operator.inputs and not name.isdigit()]
    if unknown:
        taken = ", ".join(operator.inputs) or "none"
        raise UsageError(f"{operator.name}: array {unknown[0]!r} is none of: {taken}")
    free = [name for name in operator.inputs if name not in given]
    unnamed = [name for name in given if name not in operator.inputs]
    if len(unnamed) > len(free):
        most = len(operator.inputs)
        raise UsageError(f"{operator.name} takes {most} arrays at the most, not {len(given)}")
    standing = {**{name: name for name in given}, **dict(zip(free, unnamed, strict=False))}
    return {standing[name]: given[standing[name]] for name in operator.inputs if name in standing}


def specials(call: Call, outputs: int) -> tuple[bool, tuple[str, ...]]:
    """Return whether it is a call of a training step, and what is to be done with each output.

    Raises:
        UsageError: an argument has none of its values.
    """
    named = {each.name: each.value for each in call.arguments}
    training = named.get(TRAINING, False)
    if not isinstance(training, bool):
        raise UsageError(f"{call.operator}: {TRAINING} must be true or false")
    requests = named.get(REQUESTS, ["write"] * outputs)
    if not isinstance(requests, list) or len(requests) != outputs or {*requests} - {*WANTED}:
        allowed = ", ".join(WANTED)
        raise UsageError(f"{call.operator}: {REQUESTS} must be a list of {allowed}, one an output")
    return training, tuple(requests)


def attributes_of(call: Call, operator: Registered) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each attribute.

    MXNet's graph gives a backward the attributes of its forward, which need not be its own.

    Raises:
        UsageError: an attribute is none of a forward operator's.
    """
    backward = operator.is_backward
    for position, argument in enumerate(call.arguments):
        name = argument.name
        if name in (OUT, REQUESTS, TRAINING) or has_arrays(argument):
            continue
        if name is None:
            said = f"argument {position} is no array, and has no name"
            raise UsageError(f"{operator.name}: {said}")
        if name.startswith("__"):  # of a graph's node, not of the operator
            continue
        own = (*operator.attributes, operator.counted_by)
        if name not in own and (operator.attributes or not backward):
            if backward:
                continue
            taken = ", ".join(filter(None, dict.fromkeys(own))) or "none"
            raise UsageError(f"{operator.name}: attribute {name!r} is none of: {taken}")
        yield name, attribute_text(operator.name, name, argument.value)


def has_arrays(argument: Argument) -> bool:
    """Return whether an argument is an array or a list of them."""
    value = argument.value
    return isinstance(value, CallTensor) or (
        isinstance(value, list) and any(isinstance(each, CallTensor) for each in value)
    )


def attribute_text(operator: str, name: str, value: Any) -> str:
    """Return an attribute as MXNet reads it: "(3, 3)", "True", "1e-05".

    Raises:
        UsageError: it cannot be written so.
    """
    if isinstance(value, Constant):
        return value.name
    if isinstance(value, list):
        items = [attribute_text(operator, name, each) for each in value]
        return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
    text = str(value)
    if "\0" in text:
        raise UsageError(f"{operator}: attribute {name!r} is {quote(value)}, which is no text")
    return text


def with_dtype(attributes: Mapping[str, str], dtype: str) -> dict[str, str]:
    """Return the attributes with each element type of floating point replaced."""
    kinds = {name for name in DTYPES if "float" in name}
    return {name: dtype if text in kinds else text for name, text in attributes.items()}
