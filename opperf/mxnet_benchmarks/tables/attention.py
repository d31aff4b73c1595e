"""MXNet's callables for the operators of attention, and their limitations."""

from __future__ import annotations

from dataclasses import replace

from opperf.core.frameworks.implementation import built, native
from opperf.core.frameworks.limitation import Limitation
from opperf.mxnet_benchmarks.binding.attention import multi_head, scaled_dot_product_attention
from opperf.mxnet_benchmarks.binding.fusing import fusable
from opperf.mxnet_benchmarks.limits import NO_SUBGRAPH
from opperf.operators.attention import attention, interleaved, variants

FLOAT32_ONLY = Limitation(
    dtypes=("float64", "float16", "bfloat16"), words="Only FP32 is supported on CPU"
)

TABLE = {
    attention.ScaledDotProductAttention: fusable(
        scaled_dot_product_attention, "batch_dot", "softmax"
    ).limited(
        NO_SUBGRAPH,
    ),
    # The interleaved projections are MXNet's own form of attention.
    interleaved.SelfAttentionScores: native(
        "mxnet.nd.contrib.interleaved_matmul_selfatt_qk"
    ).limited(
        FLOAT32_ONLY,
    ),
    interleaved.SelfAttentionValues: native(
        "mxnet.nd.contrib.interleaved_matmul_selfatt_valatt"
    ).limited(
        FLOAT32_ONLY,
    ),
    interleaved.CrossAttentionScores: native(
        "mxnet.nd.contrib.interleaved_matmul_encdec_qk"
    ).limited(
        FLOAT32_ONLY,
    ),
    interleaved.CrossAttentionValues: native(
        "mxnet.nd.contrib.interleaved_matmul_encdec_valatt"
    ).limited(
        FLOAT32_ONLY,
    ),
    variants.DivSqrtDim: native("mxnet.nd.contrib.div_sqrt_dim"),
    variants.MultiHeadAttention: built(
        "mxnet.nd.FullyConnected + mxnet.nd.contrib.interleaved_matmul_selfatt_qk"
        " + mxnet.nd.softmax + mxnet.nd.contrib.interleaved_matmul_selfatt_valatt"
        " + mxnet.nd.take",
        multi_head,
    ).limited(
        replace(FLOAT32_ONLY, dtypes=("float64",)),
    ),
}
