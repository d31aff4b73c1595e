"""An operator of ONNX, as a graph that has no other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import BoundCall, Implementation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

OPSET, FORMAT = 17, 8
"""The version of the operators and of the file, which ONNX Runtime knows from 1.12 on."""


@dataclass(frozen=True)
class OnnxNode(Implementation):
    """An operator by its name, `onnx.Relu`; its graph is made when it is bound."""

    def bind(self, tensors: Sequence[Any], keywords: Mapping[str, object]) -> BoundCall:
        """Return the run of a session on these arrays."""
        from opperf.onnxruntime_benchmarks import FRAMEWORK

        renamed = {self.rename.get(name, name): value for name, value in keywords.items()}
        model = one_node(self.name.removeprefix("onnx."), tensors, {**renamed, **self.fixed})
        session = FRAMEWORK.session(model)
        feed = dict(zip(names(tensors), tensors, strict=True))
        return BoundCall(partial(session.run, None, feed))


def node(name: str, *, rename: Mapping[str, str] | None = None, **fixed: object) -> OnnxNode:
    """Name an operator that takes the inputs in their order, and the attributes that it has."""
    return OnnxNode(f"onnx.{name}", rename=rename or {}, fixed=fixed)


def names(tensors: Sequence[Any]) -> list[str]:
    """Return what the inputs of a graph are called."""
    return [f"input_{at}" for at in range(len(tensors))]


def one_node(name: str, tensors: Sequence[Any], attributes: Mapping[str, object]) -> bytes:
    """Return a model of one node with inputs like these arrays."""
    import onnx

    inputs = [
        onnx.helper.make_tensor_value_info(
            each, onnx.helper.np_dtype_to_tensor_dtype(tensor.dtype), tensor.shape
        )
        for each, tensor in zip(names(tensors), tensors, strict=True)
    ]
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node(name, names(tensors), ["output"], **attributes)],
        "operator", inputs, [onnx.ValueInfoProto(name="output")],
    )  # fmt: skip
    opset = onnx.helper.make_opsetid("", OPSET)
    model = onnx.helper.make_model(graph, opset_imports=[opset], ir_version=FORMAT)
    found: bytes = model.SerializeToString()
    return found
