"""The operators that MXNet registers, forward and backward, called by their names.

`mx.nd` has functions of the forward ones only, and turns their arguments into text in every call.
What is called here is what those functions end in, MXImperativeInvokeEx of MXNet's C interface, on
arguments that were made ready before.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UnsupportedError, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

BACKWARD = "backward"
"""What the names of operators have that only a backward calls, such as `_split_v2_backward`."""
ARRAY = "NDArray-or-Symbol"
"""The type of a parameter that is an array; with [] behind it, of one that is a list of them."""

COUNT, COUNTED_OTHERWISE = "num_args", {"num_weights", "num_tensors", "num_arrays"}
"""The attribute that says how many arrays there are, and others that some operators have for it."""


@dataclass(frozen=True)
class Registered:
    """An operator that MXNet has registered.

    `inputs` are the names of its arrays, `many` whether it takes a list of them, `counted_by` the
    attribute that says how many, `attributes` the names of all else that it takes. Operators of a
    backward need not say any of these.
    """

    name: str
    handle: int
    inputs: tuple[str, ...]
    many: bool
    counted_by: str
    attributes: tuple[str, ...]

    @property
    def is_backward(self) -> bool:
        """Whether only a backward calls it."""
        return BACKWARD in self.name


def differentiated_by(name: str) -> str | None:
    """Return the name of what a backward differentiates, as far as its own says, None of others."""
    if BACKWARD not in name:
        return None
    own = name.removeprefix(f"_{BACKWARD}_")
    return own.replace(f"{BACKWARD}_", "").replace(f"_{BACKWARD}", "")


def find_operator(mxnet: Any, name: str) -> Registered:
    """Return the operator of this name.

    Raises:
        UnsupportedError: this version has none of the name; tells the nearest that it has.
    """
    handle = find_handle(mxnet, name)
    if handle is None:
        near = nearest(name, names_of(mxnet))
        hint = f"; nearest: {near}" if near else ""
        raise UnsupportedError(f"MXNet {mxnet.__version__} registers no operator {name}{hint}")
    found = mxnet.operator.get_operator_arguments(name)
    types = dict(zip(found.names, found.types, strict=True))
    arrays = {each: kind for each, kind in types.items() if kind.startswith(ARRAY)}
    many = any(kind.startswith(f"{ARRAY}[]") for kind in arrays.values())
    return Registered(
        name=name,
        handle=handle,
        inputs=tuple(arrays),
        many=many,
        counted_by=COUNT if many and not types.keys() & COUNTED_OTHERWISE else "",
        attributes=tuple(each for each in types if each not in arrays),
    )


def find_handle(mxnet: Any, name: str) -> int | None:
    """Return what stands for an operator in MXNet's C interface, None where there is none."""
    handle = ctypes.c_void_p()
    missing = mxnet.base._LIB.NNGetOpHandle(name.encode(), ctypes.byref(handle))  # noqa: SLF001
    return None if missing else handle.value


@cache
def names_of(mxnet: Any) -> tuple[str, ...]:
    """Return the names of all operators."""
    count, names = ctypes.c_uint(), ctypes.POINTER(ctypes.c_char_p)()
    list_names = mxnet.base._LIB.MXListAllOpNames  # noqa: SLF001 - the only binding of the C interface
    mxnet.base.check_call(list_names(ctypes.byref(count), ctypes.byref(names)))
    return tuple((names[at] or b"").decode() for at in range(count.value))


def compose(
    mxnet: Any,
    operator: Registered,
    inputs: Sequence[Any],
    attributes: Mapping[str, str],
    name: str,
) -> Any:
    """Return the symbol of an operator on others, or on variables of its own where they lack."""
    create = mxnet.symbol._internal._symbol_creator  # noqa: SLF001 - what `mx.sym`'s functions end in
    keys, texts = [*attributes], [*attributes.values()]
    return create(operator.handle, [*inputs], None, keys, texts, name, is_np_op=False)


class Invocation:
    """An operator's name, arrays and attributes as the C interface takes them.

    The arrays are kept: a handle says nothing once its array is gone.
    """

    __slots__ = ("arrays", "call", "check", "head", "kind", "make", "outputs", "tail", "to")

    def __init__(
        self,
        mxnet: Any,
        operator: Registered,
        arrays: Sequence[Any],
        attributes: Mapping[str, str],
        outputs: Sequence[Any] = (),
    ) -> None:
        """Make the arguments ready; `outputs` are written to, of none MXNet makes new ones."""
        base = mxnet.base
        self.arrays, self.outputs = [*arrays], [*outputs]
        self.call, self.check = base._LIB.MXImperativeInvokeEx, base.check_call  # noqa: SLF001
        self.kind, self.make = base.NDArrayHandle, mxnet._global_var._ndarray_cls  # noqa: SLF001
        self.to = ctypes.POINTER(base.NDArrayHandle)
        self.head = (
            ctypes.c_void_p(operator.handle), ctypes.c_int(len(self.arrays)),
            base.c_handle_array(self.arrays),
        )  # fmt: skip
        self.tail = (
            ctypes.c_int(len(attributes)), base.c_str_array([*attributes]),
            base.c_str_array([*attributes.values()]),
        )  # fmt: skip

    def step(self) -> Callable[[], list[Any]]:
        """Return a partial that calls the operator and returns its outputs."""
        if not self.outputs:
            return partial(invoke, self)
        count = ctypes.c_int(len(self.outputs))
        handles = (self.kind * len(self.outputs))(*(each.handle for each in self.outputs))
        written = ctypes.cast(handles, self.to)
        kinds = ctypes.POINTER(ctypes.c_int)()
        pointers = (ctypes.byref(count), ctypes.byref(written), *self.tail, ctypes.byref(kinds))
        return partial(invoke_into, self, pointers)


def invoke(invocation: Invocation) -> list[Any]:
    """Call an operator; return the arrays that MXNet makes for its outputs."""
    count, made, kinds = ctypes.c_int(), invocation.to(), ctypes.POINTER(ctypes.c_int)()
    invocation.check(
        invocation.call(
            *invocation.head,
            ctypes.byref(count),
            ctypes.byref(made),
            *invocation.tail,
            ctypes.byref(kinds),
        )
    )
    kind, make = invocation.kind, invocation.make
    return [make(ctypes.cast(made[at], kind), stype=kinds[at]) for at in range(count.value)]


def invoke_into(invocation: Invocation, pointers: Sequence[Any]) -> list[Any]:
    """Call an operator that writes to arrays that are there; return these."""
    invocation.check(invocation.call(*invocation.head, *pointers))
    return invocation.outputs
