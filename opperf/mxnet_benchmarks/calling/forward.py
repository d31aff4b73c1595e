"""The forward that a call of a backward belongs to: what the backward is given of it.

A backward reads, beside gradients, inputs of the forward and often its outputs, also those that
nobody sees: the mean and the variance of a batch, where a maximum stood. Drawn at random these
would fit nothing, so they are taken from the forward itself, run once on what is drawn.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.calls.format.values import Argument, CallTensor
from opperf.calls.measuring.casting import cast_dtype
from opperf.calls.measuring.filling import fill
from opperf.mxnet_benchmarks.calling.arguments import with_dtype
from opperf.mxnet_benchmarks.calling.graph import read_graph
from opperf.mxnet_benchmarks.calling.kinds import filled
from opperf.mxnet_benchmarks.calling.registry import (
    compose,
    differentiated_by,
    find_handle,
    find_operator,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opperf.core.tensors.tensor import Array
    from opperf.mxnet_benchmarks.calling.arguments import OperatorArguments
    from opperf.mxnet_benchmarks.calling.registry import Registered

NAMED_OTHERWISE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "reshape": ("Reshape", "expand_dims"),
        "copy": ("Flatten", "_copy"),
        "cast": ("Cast",),
        "ctc_loss": ("CTCLoss",),
        "linear_reg_out": ("LinearRegressionOutput",),
        "logistic_reg_out": ("LogisticRegressionOutput",),
        "mae_reg_out": ("MAERegressionOutput",),
    }
)
"""The forward operators of backward ones that have other names."""
BEFORE = ("", "_", "elemwise_", "_contrib_", "_linalg_")
"""What the name of a forward may begin with where that of its backward says nothing of it."""
NODE = "forward"
GRADIENT = "_head_grad_"
NUMPY_TYPES = ("float16", "float32", "float64", "int8", "uint8", "int32", "int64")
"""Element types that an array of NumPy's can have as well."""
UNSEEN_SEED = 24
"""What the inputs of a forward are drawn from that its backward does not read."""


@dataclass(frozen=True, kw_only=True)
class ForwardCall:
    """A forward operator whose backward takes the arrays of a call.

    Args:
        operator: what is called.
        attributes: what it is given beside arrays.
        tensors: its inputs.
        read: the positions among the backward's arrays of those inputs that it reads as well.
        made: the positions among the backward's arrays of the forward's outputs, by their number.
        gradients: the position among the backward's arrays of the gradient of each output.
        bind: returns MXNet's own executor of it, whose memory is its own.

    """

    operator: Registered
    attributes: Mapping[str, str]
    tensors: Sequence[CallTensor]
    read: Mapping[int, int]
    made: Mapping[int, int]
    gradients: Mapping[int, int]
    bind: Callable[[], Any]

    def inputs(self, elements: Mapping[int, Array]) -> Iterator[Array]:
        """Yield the elements of each input: what the backward is given, else drawn."""
        random = np.random.default_rng(UNSEEN_SEED)
        for position, tensor in enumerate(self.tensors):
            drawn = fill(tensor.elements, tensor.dtype, tensor.values or {}, random)
            yield elements[self.read[position]] if position in self.read else drawn

    def outputs(self, mxnet: Any, elements: Mapping[int, Array]) -> Mapping[int, Array]:
        """Run it as in training; return what it makes, by the position in the backward."""
        executor = self.bind()
        arrays = [*executor.arg_arrays, *executor.aux_arrays]
        for array, values in zip(arrays, self.inputs(elements), strict=True):
            array[:] = values.reshape(array.shape)
        made: list[Array] = []

        def keep(_name: object, handle: int) -> None:
            made.append(mxnet.nd.NDArray(ctypes.c_void_p(handle), writable=False).asnumpy())

        executor.set_monitor_callback(keep, monitor_all=False)
        executor.forward(is_train=True)
        mxnet.nd.waitall()
        return {position: made[number].ravel() for position, number in self.made.items()}


def find_forward(mxnet: Any, operator: Registered, given: OperatorArguments) -> ForwardCall | None:
    """Return the forward of a backward's call, None where none is found that fits its arrays."""
    for name in names_for(operator.name):
        if find_handle(mxnet, name) is None:
            continue
        try:
            found = forward_of(mxnet, operator.name, find_operator(mxnet, name), given)
        except RuntimeError:  # as MXNet's errors are: it takes other arrays or attributes
            continue
        if found is not None:
            return found
    return None


def names_for(backward: str) -> Iterator[str]:
    """Yield what the forward of a backward may be called."""
    name = differentiated_by(backward) or backward
    yield from NAMED_OTHERWISE.get(name, ())
    yield from (f"{beginning}{name}" for beginning in BEFORE)
    yield f"_contrib_{name.removeprefix('contrib_')}"


def forward_of(
    mxnet: Any, backward: str, operator: Registered, given: OperatorArguments
) -> ForwardCall | None:
    """Return an operator as the forward of a backward's call, None where its graph is another.

    The gradients that a backward writes are of the shapes of the forward's inputs.
    """
    taken = {*operator.attributes}
    attributes = {name: text for name, text in given.attributes.items() if name in taken}
    shapes = [*given.outputs.values()]
    if any(tensor.dtype not in NUMPY_TYPES for tensor in (*shapes, *given.arrays.values())):
        return None
    variables = [mxnet.sym.var(f"in{number}") for number in range(len(shapes))]
    symbol = compose(mxnet, operator, variables, attributes, NODE)
    bind = partial(
        symbol.simple_bind,
        mxnet.cpu(),
        grad_req="write",
        type_dict={f"in{number}": np.dtype(each.dtype) for number, each in enumerate(shapes)},
        **{f"in{number}": each.shape for number, each in enumerate(shapes)},
    )
    executor = bind()
    node = next(
        (one for one in read_graph(executor.debug_str()).nodes if one.operator == backward), None
    )
    if node is None or len(node.inputs) != len(given.arrays):
        return None
    names = [*symbol.list_arguments(), *symbol.list_auxiliary_states()]
    arrays = [*executor.arg_arrays, *executor.aux_arrays]
    known = [tensor_like(array) for array in arrays]
    read = {names.index(one): at for at, (one, _) in enumerate(node.inputs) if one in names}
    if any(known[at].shape != shape_at(given, position) for at, position in read.items()):
        return None
    return ForwardCall(
        operator=operator,
        attributes=attributes,
        tensors=with_kinds(operator, known, attributes),
        read=read,
        made={at: number for at, (one, number) in enumerate(node.inputs) if one == NODE},
        gradients={
            int(one.removeprefix(GRADIENT).partition("_")[0]): at
            for at, (one, _) in enumerate(node.inputs)
            if one.startswith(GRADIENT)
        },
        bind=bind,
    )


def in_float64(given: OperatorArguments) -> OperatorArguments:
    """Return the same arguments with all floating point in float64."""

    def cast(tensors: Mapping[str, CallTensor]) -> dict[str, CallTensor]:
        return {
            name: replace(tensor, dtype=cast_dtype(tensor.dtype, "float64"))
            for name, tensor in tensors.items()
        }

    return replace(
        given,
        arrays=cast(given.arrays),
        outputs=cast(given.outputs),
        attributes=with_dtype(given.attributes, "float64"),
    )


def tensor_like(array: Any) -> CallTensor:
    """Return an array's shape and element type."""
    return CallTensor(tuple(array.shape), np.dtype(array.dtype).name)


def shape_at(given: OperatorArguments, position: int) -> tuple[int, ...]:
    """Return the shape of an array by its position."""
    return [*given.arrays.values()][position].shape


def with_kinds(
    operator: Registered, tensors: Sequence[CallTensor], attributes: Mapping[str, str]
) -> list[CallTensor]:
    """Return the forward's inputs with the kinds of their values."""
    arguments = [Argument(None, tensor) for tensor in tensors]
    others = [Argument(name, number_in(text)) for name, text in attributes.items()]
    found = filled(operator.name, [*arguments, *others])
    return [each.value for each in found if isinstance(each.value, CallTensor)]


def number_in(text: str) -> int | str:
    """Return a whole number that an attribute's text is, else the text."""
    return int(text) if text.lstrip("-").isdecimal() else text
