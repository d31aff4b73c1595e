"""PyTorch's callables for the operators of quantization, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built
from opperf.operators import quantization
from opperf.pytorch_benchmarks.binding.quantization import (
    dense,
    dequantize,
    fake,
    fake_channels,
    on_quantized,
    pool,
    quantize,
    requantize,
)

MAKE = "torch._make_per_tensor_quantized_tensor"

TABLE = {
    quantization.Quantize: built("torch.quantize_per_tensor", quantize),
    quantization.Dequantize: built(f"torch.dequantize + {MAKE}", dequantize),
    quantization.FakeQuantize: built("torch.fake_quantize_per_tensor_affine", fake),
    quantization.FakeQuantizeChannels: built(
        "torch.fake_quantize_per_channel_affine + torch.full", fake_channels
    ),
    quantization.QuantizedDense: built("torch._int_mm", dense),
    quantization.Requantize: built("torch.quantize_per_tensor", requantize),
    quantization.QuantizedReLU: built(f"torch.relu + {MAKE}", on_quantized),
    quantization.QuantizedMaxPool2D: built(f"torch.nn.functional.max_pool2d + {MAKE}", pool),
}
