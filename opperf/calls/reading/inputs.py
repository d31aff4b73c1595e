"""From what a trace recorded of an operator's inputs to an overload and its arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from opperf.calls.format.model import ArgumentRecord, TensorRecord
from opperf.calls.reading.constants import dtype, layout, memory_format, value_of
from opperf.calls.reading.literals import LiteralParser
from opperf.core.errors import UsageError, quote
from opperf.core.results.conversion import record_part

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.frameworks.calling import Overload, Parameter

TENSOR_TYPES: Mapping[str, str] = {
    "float": "float32", "double": "float64", "c10::Half": "float16", "c10::BFloat16": "bfloat16",
    "c10::complex<c10::Half>": "complex32", "c10::complex<float>": "complex64",
    "c10::complex<double>": "complex128", "long int": "int64", "long": "int64",
    "long long": "int64", "int": "int32", "short int": "int16", "short": "int16",
    "signed char": "int8", "unsigned char": "uint8", "bool": "bool",
    "short unsigned int": "uint16", "unsigned int": "uint32", "long unsigned int": "uint64",
    "c10::Float8_e5m2": "float8_e5m2", "c10::Float8_e4m3fn": "float8_e4m3fn",
}  # fmt: skip
"""What C++ compilers call the types of elements."""
SCALAR_TYPES = (
    "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex32",
    "complex64", "complex128", "bool", "qint8", "quint8", "qint32", "bfloat16", "quint4x2",
    "quint2x4", "bits1x8", "bits2x4", "bits4x2", "bits8", "bits16", "float8_e5m2", "float8_e4m3fn",
    "float8_e5m2fnuz", "float8_e4m3fnuz", "uint16", "uint32", "uint64",
)  # fmt: skip
"""The element types in the order of PyTorch's numbers for them."""
NUMBERED: Mapping[str, tuple[Sequence[str], Callable[[str], object]]] = {
    "ScalarType": (SCALAR_TYPES, dtype),
    "Layout": (("strided", "sparse_coo", "sparse_csr"), layout),
    "MemoryFormat": (
        ("contiguous_format", "preserve_format", "channels_last", "channels_last_3d"),
        memory_format,
    ),
}
WORDS = {"True": True, "False": False, **{name: float(name) for name in ("inf", "-inf", "nan")}}
NOT_TOLD = ""
"""What stands for None, and for texts, devices and generators."""
WITHOUT_HARM = ("Device", "Generator")
"""What may be left out of a call: it is measured on a device of one's choice."""
NUMBERS: Mapping[str, tuple[type, ...]] = {
    "int": (int,), "SymInt": (int,), "float": (int, float), "bool": (bool,),
    "number": (int, float, bool), **dict.fromkeys(NUMBERED, (int,)),
}  # fmt: skip


class Inputs(Struct, frozen=True):
    """What a trace says of an operator's inputs, a list of as many each."""

    shapes: list[Any] = field(name="Input Dims", default_factory=list)
    types: list[str] = field(name="Input type", default_factory=list)
    strides: list[Any] = field(name="Input Strides", default_factory=list)
    values: list[str] = field(name="Concrete Inputs", default_factory=list)

    def is_complete(self) -> bool:
        """Return whether all of it was recorded."""
        count = len(self.shapes)
        return all(len(each) == count for each in (self.types, self.strides, self.values))


def fitting(overloads: Sequence[Overload], inputs: Inputs) -> Overload | None:
    """Return the overload that takes these inputs; of several the first, None for none."""
    found = (
        overload
        for overload in overloads
        if len(overload.parameters) == len(inputs.types)
        and all(
            fits(parameter.type, kind, text)
            for parameter, kind, text in zip(
                overload.parameters, inputs.types, inputs.values, strict=True
            )
        )
    )
    return next(found, None)


def fits(expected: str, kind: str, text: str) -> bool:
    """Return whether a parameter of a type may have been given this."""
    base = bare(expected)
    if kind == NOT_TOLD:
        return base != expected or base in {"str", "List[Optional[Tensor]]", *WITHOUT_HARM}
    if base.startswith("List["):
        inner = bare(base.removeprefix("List[").removesuffix("]"))
        if inner == "Tensor":
            return kind == "TensorList"
        return kind == "ScalarList" and inner in NUMBERS and are(NUMBERS[inner], parsed(text))
    if kind == "Scalar":
        return base in NUMBERS and are(NUMBERS[base], (parsed(text),))
    return base == "Tensor" and kind not in {"ScalarList", "TensorList", "GenericList"}


def bare(expected: str) -> str:
    """Return a type without the Optional around it."""
    optional = expected.startswith("Optional[")
    return expected[len("Optional[") : -1] if optional else expected


def are(kinds: tuple[type, ...], values: Any) -> bool:
    """Return whether values are of such types; True is no integer here."""
    return all(type(value) in kinds for value in values)


def parsed(text: str) -> Any:
    """Return the number or list that a trace writes as a text."""
    return LiteralParser(text, WORDS, {}).parse()


def arguments_of(
    overload: Overload, inputs: Inputs, element: str
) -> tuple[tuple[ArgumentRecord, ...], list[str]]:
    """Return a call's arguments by name, and the parameters that were taken as their defaults.

    Args:
        overload: what was called.
        inputs: what was recorded.
        element: the element type of tensors in lists, of which a trace tells none.

    Raises:
        UsageError: An argument was not recorded, or is of an unknown type.
    """
    found, assumed = [], []
    rows = zip(inputs.types, inputs.values, inputs.shapes, inputs.strides, strict=True)
    for parameter, (kind, text, shape, strides) in zip(overload.parameters, rows, strict=True):
        if kind == NOT_TOLD:
            assumed += untold(parameter)
            if parameter.required and bare(parameter.type) != parameter.type:
                found.append(ArgumentRecord(name=parameter.name, value=None))
        elif kind in {"Scalar", "ScalarList"}:
            value = parsed(text)
            if parameter.required or not same(value, parameter.default):
                value = value_of(numbered(parameter, value))
                found.append(ArgumentRecord(name=parameter.name, value=value))
        elif kind == "TensorList":
            tensors = list_of_tensors(parameter.name, shape, strides, element)
            found.append(ArgumentRecord(name=parameter.name, value=tensors))
        else:
            tensor = tensor_of(kind, shape, strides)
            found.append(ArgumentRecord(name=parameter.name, value=tensor))
    return tuple(found), assumed


def untold(parameter: Parameter) -> list[str]:
    """Return the parameter if it is taken as its default; refuse what a call cannot do without."""
    base = bare(parameter.type)
    if base == "str" and not parameter.required:
        return [f"{parameter.name}={parameter.default!r}"]
    if base == "str" or (base == parameter.type and base not in WITHOUT_HARM):
        raise UsageError(f"the trace does not say {parameter.name!r}")
    return []


def same(value: object, default: object) -> bool:
    """Return whether a value is the default, of the same type."""
    values = [*value] if isinstance(value, tuple) else [value]
    defaults = [*default] if isinstance(default, list) else [default]
    return values == defaults and [*map(type, values)] == [*map(type, defaults)]


def numbered(parameter: Parameter, value: Any) -> object:
    """Return a value as what it is to PyTorch, which has numbers for element types and the like."""
    base = bare(parameter.type)
    if base not in NUMBERED:
        return value
    names, make = NUMBERED[base]
    if not 0 <= value < len(names):
        raise UsageError(f"unknown {base} {value}")
    return make(names[value])


def list_of_tensors(name: str, shapes: Any, strides: Any, element: str) -> tuple[TensorRecord, ...]:
    """Return the tensors of a list; a trace tells none of a list of more than thirty."""
    if not shapes:
        raise UsageError(f"the trace does not say {name!r}: it has none or more than 30 tensors")
    kind = next(kind for kind, each in TENSOR_TYPES.items() if each == element)
    return tuple(tensor_of(kind, *each) for each in zip(shapes, strides, strict=True))


def tensor_of(kind: str, shape: Any, strides: Any) -> TensorRecord:
    """Return a tensor, without strides where it is contiguous."""
    if kind not in TENSOR_TYPES:
        raise UsageError(f"unknown element type {quote(kind)}")
    fields = {"type": "tensor", "shape": shape, "dtype": TENSOR_TYPES[kind], "strides": strides}
    tensor = record_part(fields, TensorRecord)
    return replace(tensor, strides=None) if is_contiguous(tensor) else tensor


def is_contiguous(tensor: TensorRecord) -> bool:
    """Return whether elements lie row by row; where there is one, no stride matters."""
    step = 1
    for size, stride in zip(tensor.shape[::-1], (tensor.strides or ())[::-1], strict=True):
        if size != 1 and stride != step:
            return 0 in tensor.shape
        step *= size
    return True
