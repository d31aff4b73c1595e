"""MXNet's callables for the operators of fused, and their limitations.

MXNet fuses graphs by oneDNN.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from opperf.core.frameworks.implementation import Fusable, built
from opperf.core.frameworks.limitation import (
    BACKWARD,
    Limitation,
    SizeThreshold,
    rounded_sums,
    unfused,
)
from opperf.mxnet_benchmarks.binding.composition import (
    bias_dropout_add,
    bias_gelu,
    cross_entropy,
    cross_entropy_parts,
    embedding_layer_norm,
    gated_add_relu,
    group_norm_silu,
    scale_mask_softmax,
    softmax_dropout,
)
from opperf.mxnet_benchmarks.binding.fused_convolution import (
    conv_add_relu,
    conv_bias,
    conv_gated,
    conv_then,
    conv_then_bias,
    pointwise_depthwise,
)
from opperf.mxnet_benchmarks.binding.fused_dense import dense_then, dense_then_bias, gemm_then
from opperf.mxnet_benchmarks.binding.fused_gated import geglu, swiglu
from opperf.mxnet_benchmarks.binding.fused_quantized import dense_requantize, dense_then_requantize
from opperf.mxnet_benchmarks.binding.fusing import (
    RELU,
    add_relu,
    conv_batch_norm,
    conv_batch_norm_relu,
    eager,
    fusable,
    layer_norm_residual,
)
from opperf.mxnet_benchmarks.binding.gemm import fully_connected
from opperf.mxnet_benchmarks.limits import (
    CLASS_SUMS,
    NO_SUBGRAPH,
    SINGLE_PRECISION,
    SOFTMAX_SUMS,
    samples,
)
from opperf.operators.fused import (
    convolution,
    convolution_blocks,
    dense,
    dropout,
    elementwise,
    fused,
    gated,
    normalization,
    quantized,
    residual,
    softmax,
)

PRODUCT = "mxnet.nd.contrib.quantized_fully_connected"
ZERO_GRADIENT = Limitation(
    variant="fused",
    dtypes=("float32", "bfloat16"),
    directions=BACKWARD,
    words="gradient by data is 0 where the reference is",
    note="the gradients of its oneDNN subgraph are zero, without an error",
)
NO_OTHER_FLOATS = Limitation(
    variant="fused",
    dtypes=("float64", "float16"),
    words="unknown type for MKLDNN",
    note="its oneDNN subgraph has no float64 and no float16",
)
NO_FLOAT64 = Limitation(
    variant="fused",
    dtypes=("float64",),
    words="Unknown type enum",
    note="its oneDNN subgraph has no float64",
)

TABLE = {
    convolution.ConvReLU: fusable(conv_then, "Convolution", "Activation", **RELU).limited(
        ZERO_GRADIENT,
        NO_OTHER_FLOATS,
    ),
    convolution.ConvSigmoid: fusable(
        conv_then, "Convolution", "Activation", act_type="sigmoid"
    ).limited(
        ZERO_GRADIENT,
        NO_OTHER_FLOATS,
    ),
    convolution.ConvReLU6: fusable(conv_then, "Convolution", "clip", a_min=0, a_max=6).limited(
        ZERO_GRADIENT,
        NO_OTHER_FLOATS,
    ),
    convolution.ConvSiLU: fusable(conv_gated, "Convolution", "sigmoid", "broadcast_mul").limited(
        NO_SUBGRAPH,
    ),
    convolution.ConvHardSwish: fusable(
        conv_gated, "Convolution", "hard_sigmoid", "broadcast_mul", alpha=1 / 6, beta=0.5
    ).limited(
        NO_SUBGRAPH,
        *unfused(SINGLE_PRECISION),
    ),
    convolution.ConvBias: Fusable(
        fused=built("mxnet.nd.Convolution", conv_bias),
        unfused=built("mxnet.nd.Convolution + mxnet.nd.broadcast_add", conv_then_bias),
    ),
    convolution_blocks.ConvAddReLU: fusable(
        conv_add_relu, "Convolution", "elemwise_add", "Activation"
    ).limited(
        ZERO_GRADIENT,
        NO_OTHER_FLOATS,
    ),
    convolution_blocks.PointwiseDepthwiseConv2D: fusable(
        pointwise_depthwise, "Convolution"
    ).limited(
        NO_SUBGRAPH,
    ),
    dense.DenseReLU: fusable(dense_then, "FullyConnected", "Activation", **RELU).limited(
        ZERO_GRADIENT,
        NO_OTHER_FLOATS,
    ),
    dense.DenseGELU: fusable(dense_then, "FullyConnected", "LeakyReLU", act_type="gelu").limited(
        ZERO_GRADIENT,
        NO_OTHER_FLOATS,
        *unfused(SINGLE_PRECISION),
    ),
    dense.DenseSoftmax: fusable(dense_then, "FullyConnected", "softmax").limited(
        NO_SUBGRAPH,
    ),
    dense.DenseBias: Fusable(
        fused=built("mxnet.nd.FullyConnected", fully_connected),
        unfused=built("mxnet.nd.FullyConnected + mxnet.nd.broadcast_add", dense_then_bias),
    ),
    # The node is the "FC sum" of the graph pass.
    dense.DenseAdd: fusable(dense_then, "FullyConnected", "elemwise_add").limited(
        NO_SUBGRAPH,
    ),
    dense.GemmReLU: fusable(gemm_then, "linalg.gemm", "Activation", **RELU).limited(
        NO_SUBGRAPH,
    ),
    dense.GemmGELU: fusable(gemm_then, "linalg.gemm", "LeakyReLU", act_type="gelu").limited(
        NO_SUBGRAPH,
        *unfused(SINGLE_PRECISION),
    ),
    dropout.SoftmaxDropout: fusable(softmax_dropout, "softmax", "Dropout").limited(
        Limitation(
            variant="fused",
            directions=("forward_recorded", *BACKWARD),
            words="of the scale, allowed",
            note=(
                "its oneDNN backend takes dropout out of a graph, in training as well, "
                "without an error"
            ),
        ),
    ),
    dropout.BiasDropoutAdd: fusable(bias_dropout_add, "broadcast_add", "Dropout").limited(
        NO_SUBGRAPH,
    ),
    elementwise.GatedAddReLU: fusable(
        gated_add_relu, "broadcast_mul", "broadcast_add", "Activation"
    ).limited(
        NO_SUBGRAPH,
    ),
    elementwise.BiasGELU: fusable(bias_gelu, "broadcast_add", "LeakyReLU").limited(
        NO_SUBGRAPH,
        *unfused(SINGLE_PRECISION),
    ),
    fused.ConvBatchNorm: fusable(conv_batch_norm, "Convolution", "BatchNorm").limited(
        NO_FLOAT64,
    ),
    fused.ConvBatchNormReLU: fusable(
        conv_batch_norm_relu, "Convolution", "BatchNorm", "Activation"
    ).limited(
        NO_FLOAT64,
    ),
    gated.SwiGLU: fusable(swiglu, "FullyConnected", "sigmoid", "broadcast_mul").limited(
        NO_SUBGRAPH,
    ),
    gated.GEGLU: fusable(geglu, "FullyConnected", "LeakyReLU", "broadcast_mul").limited(
        NO_SUBGRAPH,
        *unfused(SINGLE_PRECISION),
    ),
    normalization.EmbeddingLayerNorm: fusable(
        embedding_layer_norm, "Embedding", "LayerNorm"
    ).limited(
        NO_SUBGRAPH,
    ),
    normalization.GroupNormSiLU: fusable(
        group_norm_silu, "GroupNorm", "broadcast_mul", "broadcast_add", "sigmoid", "full"
    ).limited(
        NO_SUBGRAPH,
    ),
    # Fused, the node of a graph that the quantization pass converts, less the input's conversion.
    quantized.DenseRequantize: Fusable(
        fused=built(
            "mxnet.nd.CachedOp + mxnet.symbol.var + mxnet.symbol.FullyConnected + mxnet.nd.full",
            dense_requantize,
        ),
        unfused=built(
            f"{PRODUCT} + mxnet.nd.contrib.requantize + mxnet.nd.full", dense_then_requantize
        ),
    ),
    residual.AddReLU: fusable(add_relu, "broadcast_add", "Activation").limited(
        NO_SUBGRAPH,
    ),
    residual.LayerNormResidual: fusable(layer_norm_residual, "broadcast_add", "LayerNorm").limited(
        NO_SUBGRAPH,
    ),
    softmax.ScaleMaskSoftmax: fusable(scale_mask_softmax, "where", "softmax", "full").limited(
        NO_SUBGRAPH,
        *unfused(*SOFTMAX_SUMS),
    ),
    softmax.SoftmaxCrossEntropy: Fusable(
        fused=built("mxnet.nd.softmax_cross_entropy", cross_entropy),
        unfused=built(
            "mxnet.nd.log_softmax + mxnet.nd.pick + mxnet.nd.sum + mxnet.nd.negative",
            partial(eager, cross_entropy_parts, 4),
        ),
    ).limited(
        *CLASS_SUMS,
        replace(rounded_sums("float16", SizeThreshold(512, "samples", samples)), variant="fused"),
    ),
}
