"""The JSON of MXNet's benchmark/opperf: milliseconds by operator, direction and inputs.

    {"add": [{"avg_time_forward_add": 4.3, "avg_time_backward_add": 5.6,
              "inputs": {"lhs": [1024, 1024], "rhs": [1024, 1024]}}]}

With its Python timer the keys are avg_time_add, p50_time_add and the like; the median is taken
where there is one. Memory (avg_time_mem_alloc_cpu/0, max_storage_mem_alloc_cpu/0) is left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from opperf.storing.foreign.measure import Measure, tensor

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TOOL = "mxnet-opperf"
MILLISECOND = 1e-3
KEY = re.compile(r"(avg|p50)_time_(?:(forward|backward)_)?(.+)")
DEVICE = re.compile(r"mem_alloc_(cpu|gpu)/(\d+)")


def is_ours(document: object) -> bool:
    """Return whether a document has this form."""
    if not isinstance(document, dict) or not document:
        return False
    return all(isinstance(rows, list) for rows in document.values()) and any(
        isinstance(row, dict) and any(map(KEY.match, row))
        for rows in document.values()
        for row in rows
    )


def read(document: Mapping[str, list[Any]]) -> Iterator[Measure]:
    """Yield the times of a document."""
    for name, rows in document.items():
        for row in rows:
            found: dict[str, float] = {}
            for key, value in row.items():
                match = KEY.fullmatch(key)
                if match and not match[3].startswith("mem_alloc"):
                    direction = match[2] or "forward"
                    if match[1] == "p50" or direction not in found:
                        found[direction] = float(value) * MILLISECOND
            for direction, seconds in found.items():
                yield measure_of(name, direction, seconds, row)


def measure_of(name: str, direction: str, seconds: float, row: Mapping[str, Any]) -> Measure:
    """Return one time with the inputs that it was measured with."""
    given = row.get("inputs") or {}
    dtype = str(given.get("dtype", "float32"))
    shapes = {key: value for key, value in given.items() if is_shape(value)}
    places = [match for key in row if (match := DEVICE.search(key))]
    on_gpu = bool(places) and places[0][1] == "gpu"
    return Measure(
        name=name,
        framework="mxnet",
        direction=direction,
        device=f"cuda:{places[0][2]}" if on_gpu else "cpu",
        dtype=dtype,
        inputs=tuple(tensor(key, shape, dtype) for key, shape in shapes.items()),
        attributes={key: value for key, value in given.items() if key not in shapes},
        seconds=[seconds],
    )


def is_shape(value: object) -> bool:
    """Return whether a value is the shape of a tensor."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(size, int) and not isinstance(size, bool) for size in value)
    )
