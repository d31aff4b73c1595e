"""PyTorch's callables for the operators of normalization, and their limitations."""

from __future__ import annotations

from opperf.core.frameworks.implementation import built, native
from opperf.operators.normalization import (
    batch_norm_relu,
    batch_norm_variants,
    normalization,
    response,
    scaling,
    standardization,
)
from opperf.pytorch_benchmarks.binding.normalization import (
    batch_norm,
    batch_norm_then_relu,
    group_norm,
    inference_batch_norm,
    instance_norm,
    layer_norm,
    rms_norm,
)
from opperf.pytorch_benchmarks.limits import row_sums, rows

TABLE = {
    batch_norm_relu.BatchNormReLU: built(
        "torch.nn.functional.batch_norm + torch.relu", batch_norm_then_relu
    ),
    batch_norm_variants.BatchNormChannelsLast: built("torch.nn.functional.batch_norm", batch_norm),
    batch_norm_variants.BatchNormFrozen: built(
        "torch.nn.functional.batch_norm", inference_batch_norm
    ),
    normalization.BatchNorm: built("torch.nn.functional.batch_norm", batch_norm),
    response.LocalResponseNorm: native(
        "torch.nn.functional.local_response_norm", rename={"knorm": "k", "nsize": "size"}
    ),
    scaling.L2Normalization: native("torch.nn.functional.normalize", p=2.0, dim=1),
    scaling.RMSNorm: built("torch.nn.functional.rms_norm", rms_norm),
    scaling.WeightNorm: native("torch._weight_norm", dim=0),
    # Renorm: adds 1e-7 to the length that it divides by.
    scaling.Renorm: native("torch.renorm", p=2, dim=0),
    standardization.LayerNorm: built("torch.nn.functional.layer_norm", layer_norm).limited(
        *row_sums(rows),
    ),
    standardization.InstanceNorm: built("torch.nn.functional.instance_norm", instance_norm),
    standardization.GroupNorm: built("torch.nn.functional.group_norm", group_norm),
}
