"""Traces of PyTorch's profiler to read, made up here."""

from __future__ import annotations

from typing import Any

from opperf.core.frameworks.calling import Overload, Parameter


def tensor(name: str) -> Parameter:
    """Return a tensor's parameter."""
    return Parameter(name=name, type="Tensor")


def optional(name: str, kind: str, default: Any = None) -> Parameter:
    """Return a parameter with a default."""
    return Parameter(name=name, type=kind, required=False, default=default)


KNOWN = {
    "linear": (
        Overload(
            name="aten.linear.default",
            composite=True,
            parameters=(tensor("input"), tensor("weight"), optional("bias", "Optional[Tensor]")),
        ),
    ),
    "mm": (Overload(name="aten.mm.default", parameters=(tensor("self"), tensor("mat2"))),),
    "add": (
        Overload(
            name="aten.add.Tensor",
            parameters=(tensor("self"), tensor("other"), optional("alpha", "number", 1)),
        ),
        Overload(
            name="aten.add.Scalar",
            parameters=(
                tensor("self"), Parameter(name="other", type="number"),
                optional("alpha", "number", 1),
            ),
        ),
    ),
    "cat": (
        Overload(
            name="aten.cat.default",
            parameters=(Parameter(name="tensors", type="List[Tensor]"), optional("dim", "int", 0)),
        ),
    ),
    "_to_copy": (
        Overload(
            name="aten._to_copy.default",
            parameters=(
                tensor("self"), optional("dtype", "Optional[ScalarType]"),
                optional("device", "Optional[Device]"), optional("mode", "str", "none"),
                optional("memory_format", "Optional[MemoryFormat]"),
            ),
        ),
    ),
    "index": (
        Overload(
            name="aten.index.Tensor",
            parameters=(
                tensor("self"), Parameter(name="indices", type="List[Optional[Tensor]]"),
            ),
        ),
    ),
    "sum": (
        Overload(
            name="aten.sum.dim_IntList",
            parameters=(tensor("self"), Parameter(name="dim", type="Optional[List[int]]")),
        ),
    ),
}  # fmt: skip


def event(name: str, begin: float, length: float, *inputs: Any, **fields: Any) -> dict[str, Any]:
    """Return an operator's event; an input is (type, shape, strides) or (type, text)."""
    rows = [
        (each[0], each[1], each[2], "") if len(each) == 3 else (each[0], [], [], each[1])
        for each in inputs
    ]
    types, shapes, strides, texts = zip(*rows, strict=True) if rows else ((), (), (), ())
    return {
        "ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": begin, "dur": length,
        "args": {"Input Dims": shapes, "Input type": types, "Input Strides": strides,
                 "Concrete Inputs": texts, "Ev Idx": 0},
        **fields,
    }  # fmt: skip


DATA = ("float", [2, 3], [3, 1])
TURNED = ("float", [3, 4], [1, 3])
NONE = ("", "")


def document() -> dict[str, Any]:
    """Return a trace of a step, as JSON."""
    return {
        "schemaVersion": 1, "record_shapes": 1,
        "traceEvents": [
            event("ProfilerStep#3", 0, 90, cat="user_annotation"),
            event("aten::linear", 1, 10, DATA, TURNED, NONE),
            event("aten::mm", 2, 8, DATA, TURNED),
            event("aten::cat", 12, 1, ("TensorList", [[2, 3], [2, 3]], [[3, 1], [3, 1]]),
                  ("Scalar", "1")),
            event("autograd::engine::evaluate_function: AddBackward0", 20, 9),
            event("aten::add", 21, 1, DATA, ("Scalar", "2.5"), ("Scalar", "1")),
            event("aten::_to_copy", 23, 1, DATA, ("Scalar", "5"), NONE, NONE, ("Scalar", "1")),
            event("aten::sum", 25, 1, DATA, ("ScalarList", "[0]")),
        ],
    }  # fmt: skip
