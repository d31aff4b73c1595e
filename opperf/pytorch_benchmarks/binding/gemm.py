"""PyTorch's matrix products."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.operators.gemm import contractions as gemm_contractions

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def einsum(call: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """Bind, the formula first."""
    return partial(call, gemm_contractions.SCORES, lhs, rhs)


def bias_first(call: Callable[..., Any], lhs: Any, rhs: Any, bias: Any, **factors: float) -> Step:
    """Bind; torch takes first what is added."""
    return partial(call, bias, lhs, rhs, **factors)


def nothing_for(tensor: Any) -> Any:
    """Return one element to be added to a product with beta=0: torch never reads it."""
    return tensor.new_zeros((1,) * tensor.ndim)


def gemm2(call: Callable[..., Any], lhs: Any, rhs: Any, *, alpha: float) -> Step:
    """Alpha * lhs @ rhs.mT in one call; the transpose is a view."""
    nothing = nothing_for(lhs)
    return lambda: call(nothing, lhs, rhs.mT, beta=0, alpha=alpha)


def syrk(call: Callable[..., Any], data: Any, *, alpha: float) -> Step:
    """Alpha * data @ data.mT: torch has no product that knows of the symmetry."""
    return gemm2(call, data, data, alpha=alpha)


def trmm(
    triangle: Callable[..., Any], call: Callable[..., Any], lhs: Any, rhs: Any, *, alpha: float
) -> Step:
    """Tril -> alpha * product: torch has no product that knows of the triangle."""
    nothing = nothing_for(lhs)
    return lambda: call(nothing, triangle(lhs), rhs, beta=0, alpha=alpha)


def khatri_rao(
    multiply: Callable[..., Any], flatten: Callable[..., Any], lhs: Any, rhs: Any
) -> Step:
    """Compose a product that broadcasts with a view."""

    def composition() -> Any:
        return flatten(multiply(lhs[:, None], rhs[None]), 0, 1)

    return composition


def multi_dot(call: Callable[..., Any], *tensors: Any) -> Step:
    """Bind the matrices as one sequence."""
    return partial(call, tensors)


def left_transposed(call: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """Compose; the transpose is a view."""
    return lambda: call(lhs.mT, rhs)


def right_transposed(call: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """Compose likewise."""
    return lambda: call(lhs, rhs.mT)
