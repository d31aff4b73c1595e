"""PyTorch's callables for the operators of fused, and their limitations.

PyTorch fuses by torch.compile, which leaves convolutions and products to oneDNN and fuses what
surrounds them.
"""

from __future__ import annotations

from functools import partial

from opperf.core.frameworks.implementation import Fusable, built, native
from opperf.core.frameworks.limitation import BACKWARD, Limitation, unfused
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
from opperf.pytorch_benchmarks.binding.attention import ATTENTION
from opperf.pytorch_benchmarks.binding.composition import (
    add_rms_norm,
    bias_dropout_add,
    composition_of,
    cross_entropy,
    cross_entropy_parts,
    embedding_layer_norm,
    gated_add_relu,
    group_norm_silu,
    scale_mask_softmax,
    softmax_dropout,
)
from opperf.pytorch_benchmarks.binding.fused_convolution import (
    conv_add_relu,
    conv_bias,
    conv_then,
    conv_then_bias,
    pointwise_depthwise,
)
from opperf.pytorch_benchmarks.binding.fused_dense import dense_add, dense_then_bias, gemm
from opperf.pytorch_benchmarks.binding.fused_gated import gated_linear, rotary_attention
from opperf.pytorch_benchmarks.binding.fused_quantized import (
    dense_requantize,
    dense_then_requantize,
)
from opperf.pytorch_benchmarks.binding.fusing import (
    FUNCTIONS,
    conv_batch_norm,
    conv_batch_norm_relu,
    foldable,
    fusable,
    layer_norm_residual,
    two,
)
from opperf.pytorch_benchmarks.limits import lookup_count, row_sums, rows

CONV, NORM = f"{FUNCTIONS}.conv2d", f"{FUNCTIONS}.batch_norm"
LINEAR = f"{FUNCTIONS}.linear"
ONEDNN = "torch.ops.onednn"
NO_DERIVATIVE = Limitation(
    variant="fused",
    directions=BACKWARD,
    words="derivative for aten::_addmm_activation is not implemented",
)
NOT_FROZEN = Limitation(
    variant="fused",
    dtypes=("float64",),
    words="BackendCompilerFailed",
    note="freezing packs a convolution's weight by oneDNN, which has no float64",
)

TABLE = {
    convolution.ConvReLU: fusable(conv_then, CONV, "torch.relu"),
    convolution.ConvSigmoid: fusable(conv_then, CONV, "torch.sigmoid"),
    convolution.ConvReLU6: fusable(conv_then, CONV, f"{FUNCTIONS}.relu6"),
    convolution.ConvSiLU: fusable(conv_then, CONV, f"{FUNCTIONS}.silu"),
    convolution.ConvHardSwish: fusable(conv_then, CONV, f"{FUNCTIONS}.hardswish"),
    convolution.ConvBias: Fusable(
        fused=built(CONV, conv_bias),
        unfused=built(f"{CONV} + torch.add", conv_then_bias),
    ),
    convolution_blocks.ConvAddReLU: fusable(conv_add_relu, CONV, "torch.add", "torch.relu"),
    convolution_blocks.PointwiseDepthwiseConv2D: fusable(pointwise_depthwise, CONV),
    dense.DenseReLU: fusable(two, LINEAR, "torch.relu"),
    dense.DenseGELU: fusable(two, LINEAR, f"{FUNCTIONS}.gelu"),
    dense.DenseSoftmax: fusable(partial(two, dim=-1), LINEAR, f"{FUNCTIONS}.softmax"),
    dense.DenseBias: Fusable(
        fused=native(LINEAR), unfused=built(f"{LINEAR} + torch.add", dense_then_bias)
    ),
    dense.DenseAdd: fusable(dense_add, LINEAR, "torch.add"),
    dense.GemmReLU: gemm("torch.relu", use_gelu=False).limited(
        NO_DERIVATIVE,
    ),
    dense.GemmGELU: gemm(f"{FUNCTIONS}.gelu", use_gelu=True).limited(
        NO_DERIVATIVE,
    ),
    dropout.SoftmaxDropout: fusable(softmax_dropout, "torch.softmax", f"{FUNCTIONS}.dropout"),
    dropout.BiasDropoutAdd: fusable(bias_dropout_add, "torch.add", f"{FUNCTIONS}.dropout"),
    elementwise.GatedAddReLU: fusable(gated_add_relu, "torch.mul", "torch.add", "torch.relu"),
    elementwise.BiasGELU: fusable(two, "torch.add", f"{FUNCTIONS}.gelu"),
    fused.ConvBatchNorm: foldable(conv_batch_norm, CONV, NORM).limited(
        NOT_FROZEN,
    ),
    fused.ConvBatchNormReLU: foldable(conv_batch_norm_relu, CONV, NORM, "torch.relu").limited(
        NOT_FROZEN,
    ),
    gated.SwiGLU: fusable(gated_linear, LINEAR, f"{FUNCTIONS}.silu", "torch.mul"),
    gated.GEGLU: fusable(gated_linear, LINEAR, f"{FUNCTIONS}.gelu", "torch.mul"),
    gated.RotaryAttention: fusable(
        rotary_attention, ATTENTION, "torch.mul", "torch.addcmul", "torch.cat"
    ),
    normalization.EmbeddingLayerNorm: fusable(
        embedding_layer_norm, f"{FUNCTIONS}.embedding", f"{FUNCTIONS}.layer_norm"
    ).limited(
        *unfused(*row_sums(lookup_count)),
    ),
    normalization.AddRMSNorm: fusable(add_rms_norm, "torch.add", f"{FUNCTIONS}.rms_norm"),
    normalization.GroupNormSiLU: fusable(
        group_norm_silu, f"{FUNCTIONS}.group_norm", f"{FUNCTIONS}.silu"
    ),
    quantized.DenseRequantize: Fusable(
        fused=built(f"{ONEDNN}.qlinear_pointwise + {ONEDNN}.qlinear_prepack", dense_requantize),
        unfused=built("torch._int_mm + torch.quantize_per_tensor", dense_then_requantize),
    ),
    residual.AddReLU: fusable(two, "torch.add", "torch.relu"),
    residual.LayerNormResidual: fusable(
        layer_norm_residual, "torch.add", f"{FUNCTIONS}.layer_norm"
    ).limited(
        *unfused(*row_sums(rows)),
    ),
    softmax.ScaleMaskSoftmax: fusable(
        scale_mask_softmax, "torch.mul", "torch.masked_fill", "torch.softmax"
    ),
    softmax.SoftmaxCrossEntropy: Fusable(
        fused=built(f"{FUNCTIONS}.cross_entropy + torch.Tensor.view", cross_entropy),
        unfused=composition_of(
            cross_entropy_parts,
            "torch.log_softmax",
            "torch.gather",
            "torch.sum",
            "torch.neg",
        ),
    ),
}
