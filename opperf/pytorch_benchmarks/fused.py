"""PyTorch's fused operators, by torch.compile, and the compositions that they replace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.framework import Fusable, built
from opperf.operators import fused

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.device import Step


def compiled_conv_relu(
    compile_: Callable[..., Any],
    conv2d: Callable[..., Any],
    relu: Callable[..., Any],
    *tensors: Any,
    **attributes: int,
) -> Step:
    """Compile the composition on these tensors."""
    return compile_(conv_relu(conv2d, relu, *tensors, **attributes))


def conv_relu(
    conv2d: Callable[..., Any], relu: Callable[..., Any], *tensors: Any, **attributes: int
) -> Step:
    """Compose the two calls."""

    def composition() -> Any:
        return relu(conv2d(*tensors, **attributes))

    return composition


TABLE = {
    fused.ConvReLU: Fusable(
        fused=built(
            "torch.compile + torch.nn.functional.conv2d + torch.relu",
            compiled_conv_relu,
            compiles=True,
        ),
        unfused=built("torch.nn.functional.conv2d + torch.relu", conv_relu),
    ),
}
