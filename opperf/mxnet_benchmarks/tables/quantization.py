"""MXNet's callables for the operators of quantization, and their limitations."""

from __future__ import annotations

from functools import partial
from typing import Any

from opperf.core.frameworks.implementation import built
from opperf.mxnet_benchmarks.binding.quantization import (
    dense,
    dequantize,
    quantize,
    requantize,
    unit,
)
from opperf.operators import quantization

WINDOW: dict[str, Any] = {"kernel": (2, 2), "stride": (2, 2), "pool_type": "max"}

TABLE = {
    quantization.Quantize: built("mxnet.nd.contrib.quantize_v2", quantize),
    quantization.Dequantize: built("mxnet.nd.contrib.dequantize + mxnet.nd.full", dequantize),
    quantization.QuantizedDense: built(
        "mxnet.nd.contrib.quantized_fully_connected + mxnet.nd.full", dense
    ),
    quantization.Requantize: built("mxnet.nd.contrib.requantize + mxnet.nd.full", requantize),
    quantization.QuantizedReLU: built(
        "mxnet.nd.contrib.quantized_act + mxnet.nd.full", partial(unit, act_type="relu")
    ),
    quantization.QuantizedMaxPool2D: built(
        "mxnet.nd.contrib.quantized_pooling + mxnet.nd.full", partial(unit, **WINDOW)
    ),
}
