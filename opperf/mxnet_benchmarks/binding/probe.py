"""MXNet's custom operators and layers."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


@cache
def register(operator: Any) -> str:
    """Register the custom operator, written as in MXNet's documentation; return its name."""

    class CustomAddition(operator.CustomOp):  # type: ignore[misc]
        def forward(self, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
            del is_train, aux
            self.assign(out_data[0], req[0], in_data[0] + in_data[1])

        def backward(
            self, req: Any, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any, aux: Any
        ) -> None:
            del in_data, out_data, aux
            self.assign(in_grad[0], req[0], out_grad[0])
            self.assign(in_grad[1], req[1], out_grad[0])

    class Properties(operator.CustomOpProp):  # type: ignore[misc]
        def list_arguments(self) -> list[str]:
            return ["lhs", "rhs"]

        def infer_shape(self, in_shape: Any) -> Any:
            return in_shape, [in_shape[0]], []

        def create_operator(self, ctx: Any, in_shapes: Any, in_dtypes: Any) -> Any:
            del ctx, in_shapes, in_dtypes
            return CustomAddition()

    name = "opperf_elementwise_add"
    operator.register(name)(Properties)
    return name


def custom_add(call: Callable[..., Any], operator: Any, lhs: Any, rhs: Any) -> Step:
    """Call the custom operator."""
    return partial(call, lhs, rhs, op_type=register(operator))


def layer(block: Callable[..., Any], data: Any) -> Step:
    """data^2 by a HybridLambda layer."""
    return partial(block("square"), data)
