"""MXNet's int8 products with requantization, by its quantized oneDNN subgraph and as parts."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.mxnet_benchmarks.binding.fusing import STATIC
from opperf.mxnet_benchmarks.binding.quantization import WHOLE, calibration, ranges
from opperf.operators import quantization

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


BACKEND = "MKLDNN_QUANTIZE"


def quantized_graph(symbol: Any, limit: float) -> Any:
    """Return the graph of a dense layer after the quantization pass, from int8 to int8.

    The pass inserts a quantization of the data, which is removed: data has the weight's range. By
    default the last node returns floating-point numbers; these bounds make it return int8.
    """
    import mxnet
    from mxnet.contrib import quantization as contrib

    graph, layers = contrib._quantize_symbol(  # noqa: SLF001 - nothing public takes a range
        symbol.get_backend_symbol(BACKEND), mxnet.cpu(), offline_params=["weight"],
        quantized_dtype="int8", quantize_mode="full",
    )  # fmt: skip
    ranges_by_layer = dict.fromkeys(layers, (-limit, limit))
    graph = contrib._calibrate_quantized_sym(graph, ranges_by_layer)  # noqa: SLF001 - likewise
    found = json.loads(graph.get_backend_symbol(BACKEND).tojson())
    nodes = found["nodes"]
    at = {node["name"]: [place, 0, 0] for place, node in enumerate(nodes)}
    bounds = [at[f"weight_quantize_{end}"] for end in ("min", "max")]
    node = next(node for node in nodes if node["op"] == "_sg_mkldnn_fully_connected")
    node["inputs"] = [at["data"], at["weight_quantize"], *bounds, *bounds]
    node["attrs"] = {
        "quantized": "True", "min_calib_range": str(-limit), "max_calib_range": str(limit)
    }  # fmt: skip
    return mxnet.symbol.load_json(json.dumps(found))


def dense_requantize(  # noqa: PLR0913 - four calls, then the operator's inputs
    cached_op: Callable[..., Any], variable: Callable[..., Any], call: Callable[..., Any],
    full: Callable[..., Any], data: Any, weight: Any, *, scale: float,
) -> Step:  # fmt: skip
    """Fused dense -> requantize, with ranges in which one step is one."""
    layer = call(variable("data"), variable("weight"), num_hidden=len(weight), no_bias=True)
    least, most = ranges(full, quantization.RANGE)
    tensors = {
        "data": data,
        "weight_quantize": weight,
        "weight_quantize_min": least,
        "weight_quantize_max": most,
    }
    graph = quantized_graph(layer, quantization.RANGE / scale)
    return partial(cached_op(graph, STATIC), *(tensors[name] for name in graph.list_arguments()))


def dense_then_requantize(
    multiply: Callable[..., Any], call: Callable[..., Any], full: Callable[..., Any],
    data: Any, weight: Any, *, scale: float,
) -> Step:  # fmt: skip
    """Dense -> requantize, with unit ranges for the product."""
    options = {"num_hidden": len(weight), "no_bias": True}
    one, whole = ranges(full, 1), ranges(full, WHOLE)
    bounds = calibration(quantization.LEVELS / scale)

    def composition() -> Any:
        total = multiply(data, weight, *one, *one, **options)[0]
        return call(total, *whole, **bounds)[0]

    return composition
