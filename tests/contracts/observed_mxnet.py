"""The operators that a call of MXNet runs, and what its Python functions hand on to them."""

from __future__ import annotations

import ast
import re
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from opperf.calls.declared.pattern import parse_signature
from opperf.core.errors import UnsupportedError
from tests.contracts.observed import Observed, Seen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.contracts.observed import Tensors

ARRAY, ARRAYS = "NDArray-or-Symbol", "NDArray-or-Symbol[]"
DEFAULT = re.compile(r"default=(?P<text>.*)$")
MAKING = ("_zeros", "_ones", "_full")
"""What makes an array anew."""
NUMBER = "num_args"
"""How many arrays there are in the list that an operator takes; MXNet counts them by itself."""
TRAIN = "is_train"
"""What a calls file says of an operator that runs in training."""


def recorded(tensors: Tensors, call: Callable[[], object]) -> list[Observed]:
    """Return the operators in order; what writes to an array that is handed over has `out`."""
    from mxnet import autograd
    from mxnet.ndarray import register

    found: list[Observed] = []
    usual = register._imperative_invoke

    def noting(handle: int, arrays: Any, keys: Any, values: Any, out: Any, *rest: Any) -> Any:
        given = dict(zip(keys, map(plain, values), strict=True))
        if out is not None:
            given["out"] = True
        name = name_of(handle)
        if name not in MAKING:
            given[TRAIN] = autograd.is_training()
            found.append(observed(tensors, name, arrays, given))
        return usual(handle, arrays, keys, values, out, *rest)

    with replaced(register, "_imperative_invoke", noting):
        call()
    return found


@contextmanager
def replaced(module: Any, name: str, value: Any) -> Iterator[None]:
    """Put another function in the place of a module's for a while."""
    usual = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, usual)


def observed(tensors: Tensors, operator: str, arrays: Any, given: dict[str, Any]) -> Observed:
    """Return a call with all its arguments, those that were left out as they are by default."""
    takes, defaults, names = signature(operator)
    several = parse_signature(takes).rest
    if len(arrays) > len(names) and not several:
        raise UnsupportedError(f"{operator} does not name its arrays")
    seen = [seen_array(tensors, array) for array in arrays]
    listed = {several: seen} if several else dict(zip(names, seen, strict=False))
    values = {**dict.fromkeys(names), **defaults, **listed, **given}
    order = [name for name in parse_signature(takes).names if name in values]
    return Observed(operator, takes, {name: values[name] for name in (*order, *given)})


def seen_array(tensors: Tensors, array: Any) -> Seen:
    """Return what an array is; those that lie in the memory of an input are not known again."""
    name = tensors.name_of(array)
    shape = tuple(array.shape)
    return Seen(name, tuple(range(len(shape))) if name else None, shape, None, str_of(array.dtype))


def str_of(dtype: Any) -> str:
    """Return the name of an element type; MXNet has bfloat16 under one of its own."""
    import numpy as np

    return np.dtype(dtype).name if not isinstance(dtype, str) else dtype


@cache
def signature(operator: str) -> tuple[str, dict[str, Any], tuple[str, ...]]:
    """Return how an operator is called, the defaults of its attributes, its arrays' names."""
    from mxnet.operator import get_operator_arguments

    found = get_operator_arguments(operator)
    kinds = dict(zip(found.names, found.types, strict=True))
    arrays = tuple(name for name, kind in kinds.items() if kind.startswith(ARRAY))
    several = any(kind.startswith(ARRAYS) for kind in kinds.values())
    defaults = {
        name: default_of(kind)
        for name, kind in kinds.items()
        if name not in arrays and DEFAULT.search(kind)
    } | {TRAIN: False, **({NUMBER: None} if NUMBER in kinds else {})}
    attributes = [*dict.fromkeys((*(name for name in kinds if name not in arrays), TRAIN))]
    words = [f"{name}={defaults[name]!r}" if name in defaults else name for name in attributes]
    first = [f"*{arrays[0]}"] if several else [*(f"{name}=None" for name in arrays), "*"]
    return ", ".join([*first, *words]), defaults, arrays


def default_of(kind: str) -> Any:
    """Return the value that "int, optional, default='-1'" says."""
    found = DEFAULT.search(kind)
    assert found
    text = found["text"].strip("'")
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return bool(value) if kind.startswith("boolean") and value is not None else plain(value)


def plain(value: Any) -> Any:
    """Return an attribute as a calls file has it."""
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    known = isinstance(value, (bool, int, float, str, type(None)))
    return value if known else getattr(value, "__name__", str(value))


@cache
def name_of(handle: int) -> str:
    """Return the name under which an operator is registered."""
    import ctypes

    from mxnet.base import _LIB, check_call, mx_uint, py_str

    texts = ctypes.POINTER(ctypes.c_char_p)
    name, *others = (ctypes.c_char_p() for _ in range(4))
    number, lists = mx_uint(), [texts() for _ in range(3)]
    arguments = (name, others[0], number, *lists, others[1], others[2])
    check_call(
        _LIB.MXSymbolGetAtomicSymbolInfo(ctypes.c_void_p(handle), *map(ctypes.byref, arguments))
    )
    return str(py_str(name.value))
