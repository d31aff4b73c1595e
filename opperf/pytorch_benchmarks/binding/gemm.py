"""PyTorch's matrix products."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.operators.gemm import contractions as gemm_contractions

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def einsum(call: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """The Einstein sum of the formula."""
    return partial(call, gemm_contractions.SCORES, lhs, rhs)


def bias_first(call: Callable[..., Any], lhs: Any, rhs: Any, bias: Any, **factors: float) -> Step:
    """Return addmm and its kin, which take the summand first."""
    return partial(call, bias, lhs, rhs, **factors)


def nothing_for(tensor: Any) -> Any:
    """Return one element as the summand of a product with beta=0, which is never read."""
    return tensor.new_zeros((1,) * tensor.ndim)


def gemm2(call: Callable[..., Any], lhs: Any, rhs: Any, *, alpha: float) -> Step:
    """Return alpha * lhs @ rhs^T in one call; the transpose is a view."""
    nothing = nothing_for(lhs)
    return lambda: call(nothing, lhs, rhs.mT, beta=0, alpha=alpha)


def syrk(call: Callable[..., Any], data: Any, *, alpha: float) -> Step:
    """Return alpha * data @ data^T: PyTorch has no symmetric product."""
    return gemm2(call, data, data, alpha=alpha)


def trmm(
    triangle: Callable[..., Any], call: Callable[..., Any], lhs: Any, rhs: Any, *, alpha: float
) -> Step:
    """Tril -> alpha * product: PyTorch has no triangular product."""
    nothing = nothing_for(lhs)
    return lambda: call(nothing, triangle(lhs), rhs, beta=0, alpha=alpha)


def khatri_rao(
    multiply: Callable[..., Any], flatten: Callable[..., Any], lhs: Any, rhs: Any
) -> Step:
    """Broadcast product -> view."""

    def composition() -> Any:
        return flatten(multiply(lhs[:, None], rhs[None]), 0, 1)

    return composition


def multi_dot(call: Callable[..., Any], *tensors: Any) -> Step:
    """The product of several matrices, as one sequence."""
    return partial(call, tensors)


def transpose_lhs(call: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """lhs^T @ rhs; the transpose is a view."""
    return lambda: call(lhs.mT, rhs)


def transpose_rhs(call: Callable[..., Any], lhs: Any, rhs: Any) -> Step:
    """Return lhs @ rhs^T; the transpose is a view."""
    return lambda: call(lhs, rhs.mT)
