"""PyTorch's normalizations that scale only."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built, native
from opperf.operators.normalization import response, scaling

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def rms_norm(call: Callable[..., Any], data: Any, gamma: Any, *, eps: float) -> Step:
    """Bind, with the normalized axis by its length."""
    return partial(call, data, gamma.shape, gamma, eps)


TABLE = {
    scaling.L2Normalization: native("torch.nn.functional.normalize", p=2.0, dim=1),
    scaling.RMSNorm: built("torch.nn.functional.rms_norm", rms_norm),
    scaling.WeightNorm: native("torch._weight_norm", dim=0),
    scaling.Renorm: native("torch.renorm", p=2, dim=0),
    response.LocalResponseNorm: native(
        "torch.nn.functional.local_response_norm", rename={"knorm": "k", "nsize": "size"}
    ),
}
