"""Calls files and logs to read, made up here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DATA: Mapping[str, Any] = {"type": "tensor", "shape": [8, 16], "dtype": "float32"}
WEIGHT: Mapping[str, Any] = {
    "type": "tensor", "shape": [16, 4], "dtype": "float32", "strides": [1, 16],
    "layout": "strided", "values": {"kind": "uniform"},
}  # fmt: skip
MM: Mapping[str, Any] = {
    "operator": "aten.mm.default",
    "arguments": [{"name": "self", "value": DATA}, {"name": "mat2", "value": WEIGHT}],
    "count": 12,
    "places": [
        {"module": "encoder.0", "phase": "forward", "count": 8},
        {"module": "", "phase": "backward", "count": 4},
    ],
}
EMBEDDING: Mapping[str, Any] = {
    "operator": "aten.embedding.default",
    "arguments": [
        {"value": {"type": "tensor", "shape": [100, 8], "dtype": "float16"}},
        {
            "value": {
                "type": "tensor", "shape": [2, 3], "dtype": "int64",
                "values": {"kind": "indices", "below": 100},
            }
        },
        {"name": "padding_idx", "value": -1},
    ],
    "count": 1,
    "per_example": [{"shape": [0, 8], "strides": [1, 0], "below": 1}, [None, 1], 2],
}  # fmt: skip
ODD: Mapping[str, Any] = {
    "operator": "aten.odd.Scalar_out",
    "arguments": [
        {"value": [DATA, None, True, 1, 0.5, "sum"]},
        {"value": {"type": "constant", "kind": "float", "name": "-inf"}},
        {"value": {"type": "constant", "kind": "dtype", "name": "float16"}},
        {"value": {"type": "tensor", "shape": [], "dtype": "bool", "layout": "sparse_coo",
                   "stored": 0, "coalesced": True}},
    ],
    "count": 2**62,
}  # fmt: skip


def document(*calls: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a calls file's JSON with every field that it may have."""
    return {
        "schema": "opperf.calls/1", "network": "toy", "framework": "pytorch",
        "framework_version": "2.13.0", "mode": "training", "batch": 8, "device": "cpu",
        "source": "made up", "measured": {"seconds": 0.5},
        "calls": [*calls] or [MM, EMBEDDING, ODD], **fields,
    }  # fmt: skip


def data(*calls: Mapping[str, Any], **fields: Any) -> bytes:
    """Return a calls file."""
    return json.dumps(document(*calls, **fields)).encode()


LOG = """\
Operator: aten.mm.default
cnt: 12, ((T([8, 16], f32), T([16, 4], f32, stride=(1, 16))), {})
cnt: 1, ((T([8, 16], bf16), T([16, 4], bf16)), {})
Operator: aten.cat.default
cnt: 3, (([T([8, 4], f16), T([8, 4], f16)], 1), {})
Operator: aten.index.Tensor
cnt: 1, ((T([4, 4], c64), [None, T([], i64)]), {})
Operator: aten.zeros.default
cnt: 2, (([2, 3],), {'dtype': b8, 'layout': torch.strided, 'device': 'cuda', 'pin_memory': None})
Operator: aten.masked_fill.Scalar
cnt: 7, ((T([2], f64), T([2], b8, stride=(0,)), -inf), {})
Operator: aten.detach.default
cnt: 1, ((), {})
"""


def abbreviated(shape: Sequence[int], dtype: str, strides: Sequence[int] | None = None) -> str:
    """Return a tensor as a log writes it."""
    text = f", stride=({', '.join(map(str, strides))},)" if strides is not None else ""
    return f"T([{', '.join(map(str, shape))}], {dtype}{text})"
