"""Logs of operator calls, as PyTorch's operatorbench and TritonBench keep them.

A line `Operator: aten.mm.default` names an overload, and each line `cnt: 12, ((...), {...})` behind
it how often it is called with which arguments.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from opperf.calls.format.content import LARGEST_OF_CALLS, check_count, check_size
from opperf.calls.format.faults import STRICT
from opperf.calls.format.file import identity
from opperf.calls.format.model import (
    ArgumentRecord,
    CallRecord,
    CallsRecord,
    ConstantRecord,
    TensorRecord,
)
from opperf.calls.reading.constants import (
    DTYPES,
    LAYOUTS,
    MEMORY_FORMATS,
    device,
    dtype,
    layout,
    memory_format,
    value_of,
)
from opperf.calls.reading.literals import LiteralParser
from opperf.core.errors import UsageError, quote
from opperf.core.results.conversion import record_part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from opperf.calls.format.faults import CallFaults

ABBREVIATIONS: Mapping[str, str] = {
    "f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16", "c32": "complex32",
    "c64": "complex64", "c128": "complex128", "i64": "int64", "i32": "int32", "i16": "int16",
    "i8": "int8", "u8": "uint8", "b8": "bool",
}  # fmt: skip
WORDS: Mapping[str, object] = {
    "None": None,
    "True": True,
    "False": False,
    **{name: float(name) for name in ("inf", "-inf", "nan", "-nan")},
    **{short: dtype(name) for short, name in ABBREVIATIONS.items()},
    **{f"torch.{name}": dtype(name) for name in DTYPES},
    **{f"torch.{name}": layout(name) for name in LAYOUTS},
    **{f"torch.{name}": memory_format(name) for name in MEMORY_FORMATS},
}
OPERATOR = re.compile(r"Operator: ([A-Za-z_][A-Za-z0-9_.:]{0,199})\s*")
COUNT = re.compile(r"cnt: ([1-9]\d{0,17}), ?")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
LONGEST_LINE = 2**20
"""Characters; the longest of any public log is 3,762."""
HEADING = "Operator:"
BEGIN_OF_LOG = (b"Operator: ", b"cnt: ")


def parse_log(data: bytes, network: str, faults: CallFaults = STRICT) -> CallsRecord:
    """Return the calls of a log; those that stand there twice have the sum of their counts.

    Args:
        data: the log.
        network: what its network is called.
        faults: gets what is wrong with a line, whose others are read then.

    Raises:
        UsageError: None of its lines is as such a log has it; names the line and its operator.
    """
    check_size(data, LARGEST_OF_CALLS)
    calls: dict[bytes, CallRecord] = {}
    counts: Counter[bytes] = Counter()
    for call in calls_of(data.splitlines(), faults):
        key = identity(call)
        calls.setdefault(key, call)
        counts[key] += call.count
        check_count(len(calls))
    if not calls:
        faults.refuse_all()
    return CallsRecord(
        network=network,
        framework="pytorch",
        device=device_of(calls.values()),
        source="a log of operatorbench's form",
        calls=tuple(replace(call, count=counts[key]) for key, call in calls.items()),
    )


def calls_of(lines: Iterable[bytes], faults: CallFaults) -> Iterator[CallRecord]:
    """Yield the call of each line that has one."""
    operator = ""
    for number, line in enumerate(lines, 1):
        text = line.decode(errors="replace")
        if found := OPERATOR.fullmatch(text):
            operator = found[1]
        elif text.strip():
            if text.startswith(HEADING):  # whose operator the next calls are of nobody knows
                operator = ""
            with faults.noted(), naming(number, operator):
                yield call_of(text, operator)


@contextmanager
def naming(number: int, operator: str) -> Iterator[None]:
    """Put the line and its operator before what is wrong there."""
    try:
        yield
    except UsageError as error:
        of = f" ({operator})" if operator else ""
        raise UsageError(f"line {number}{of}: {error}") from None


def call_of(text: str, operator: str) -> CallRecord:
    """Return the call of a line such as `cnt: 2, ((T([3], f32), 1), {'dtype': f16})`."""
    count = COUNT.match(text)
    if count is None:
        raise UsageError(f"{quote(text[:40])} is neither 'Operator: NAME' nor 'cnt: N, ARGUMENTS'")
    if not operator:
        raise UsageError("a call without an 'Operator: NAME' before it")
    if len(text) > LONGEST_LINE:
        raise UsageError(f"longer than {LONGEST_LINE:,} characters")
    given = LiteralParser(text, WORDS, MAKERS, count.end()).parse()
    if not (isinstance(given, tuple) and [*map(type, given)] == [tuple, dict]):
        raise UsageError("the arguments are not as in ((POSITIONAL, ...), {'NAME': VALUE})")
    values, names = given
    if wrong := [name for name in names if not NAME.fullmatch(name)]:
        raise UsageError(f"{quote(wrong[0])} is no name of an argument")
    arguments = (
        *(ArgumentRecord(value=value_of(value)) for value in values),
        *(ArgumentRecord(name=name, value=named(name, value)) for name, value in names.items()),
    )
    return CallRecord(operator=operator, arguments=arguments, count=int(count[1]))


def named(name: str, value: object) -> Any:
    """Return the value of an argument by name: a device, which the writer shortens, is one."""
    return device(value) if name == "device" and isinstance(value, str) else value_of(value)


def device_of(calls: Iterable[CallRecord]) -> str | None:
    """Return on which device tensors were made, None where no call says so or several do."""
    given = {
        argument.value.name.partition(":")[0]
        for call in calls
        for argument in call.arguments
        if isinstance(argument.value, ConstantRecord) and argument.value.kind == "device"
    }
    return given.pop() if len(given) == 1 else None


def make_tensor(shape: object, dtype: object, stride: object = None) -> TensorRecord:
    """Return what `T(shape, dtype)` stands for."""
    return tensor(shape, dtype, strides=stride)


def make_sparse(
    shape: object, dtype: object, layout: object, coalesced: object, nnz: object = None
) -> TensorRecord:
    """Return what `ST(shape, dtype, layout, is_coalesced, nnz)` stands for."""
    return tensor(shape, dtype, layout=name_of(layout, "layout"), stored=nnz, coalesced=coalesced)


def tensor(shape: object, dtype: object, **fields: object) -> TensorRecord:
    """Return a tensor whose fields are as they must be."""
    fields = {"type": "tensor", "shape": shape, "dtype": name_of(dtype, "dtype"), **fields}
    return record_part(
        {name: value for name, value in fields.items() if value is not None}, TensorRecord
    )


def make_device(type: str, index: int | None = None) -> ConstantRecord:  # noqa: A002 - PyTorch's name
    """Return what `torch.device('cuda', 0)` stands for."""
    if not isinstance(type, str) or not (index is None or isinstance(index, int)):
        raise ValueError(f"{quote((type, index))} is no device and its number")
    return device(type if index is None else f"{type}:{index}")


def name_of(constant: object, kind: str) -> str:
    """Return the name of a constant that has to be of a kind."""
    if not isinstance(constant, ConstantRecord) or constant.kind != kind:
        raise ValueError(f"{quote(constant)} is no {kind}")
    return constant.name


MAKERS: Mapping[str, Callable[..., object]] = {
    "T": make_tensor,
    "ST": make_sparse,
    "torch.device": make_device,
}
