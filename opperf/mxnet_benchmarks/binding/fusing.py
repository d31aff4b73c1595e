"""MXNet's fused operators, by its oneDNN subgraph backend, and the parts that they replace."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UnsupportedError
from opperf.core.frameworks.implementation import Fusable, built
from opperf.mxnet_benchmarks.binding.convolution import window

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.frameworks.device import Step

    Calls = Sequence[Callable[..., Any]]
    Composition = Callable[..., Any]


STATIC = (("static_alloc", True), ("static_shape", True))

RELU = {"act_type": "relu"}


def conv_batch_norm(
    calls: Calls, tensors: Sequence[Any], *, stride: int, padding: int, eps: float
) -> Composition:
    """Convolution -> batch_norm by the moving statistics."""
    convolve, normalize = calls
    options = window(tensors[1], stride, padding)
    moving = {"eps": eps, "fix_gamma": False, "use_global_stats": True}

    def composition(data: Any, weight: Any, bias: Any, *statistics: Any) -> Any:
        convolved = convolve(data, weight, bias, **options)
        return normalize(convolved, *statistics, **moving)

    return composition


def conv_batch_norm_relu(calls: Calls, tensors: Sequence[Any], **attributes: Any) -> Composition:
    """Convolution -> batch_norm by the moving statistics -> relu."""
    *calls, activate = calls
    normalized = conv_batch_norm(calls, tensors, **attributes)

    def composition(*inputs: Any) -> Any:
        return activate(normalized(*inputs), **RELU)

    return composition


def add_relu(calls: Calls, tensors: Sequence[Any]) -> Composition:
    """Add -> relu."""
    del tensors
    add, activate = calls

    def composition(*inputs: Any) -> Any:
        return activate(add(*inputs), **RELU)

    return composition


def layer_norm_residual(calls: Calls, tensors: Sequence[Any], *, eps: float) -> Composition:
    """Add -> layer_norm."""
    del tensors
    add, normalize = calls

    def composition(data: Any, residual: Any, gamma: Any, beta: Any) -> Any:
        return normalize(add(data, residual), gamma, beta, eps=eps)

    return composition


def eager(compose: Callable[..., Composition], count: int, *parts: Any, **attributes: Any) -> Step:
    """Bind a composition of `count` calls, which come first, to the tensors."""
    calls, tensors = parts[:count], parts[count:]
    return partial(compose(calls, tensors, **attributes), *tensors)


def subgraph(
    compose: Callable[..., Composition], count: int,
    cached_op: Callable[..., Any], variable: Callable[..., Any], *parts: Any, **attributes: Any,
) -> Step:  # fmt: skip
    """Bind the graph as a hybridized block runs it, once oneDNN has fused it to one node."""
    calls, tensors = parts[:count], parts[count:]
    names = [f"input{at}" for at in range(len(tensors))]
    composition = compose(calls, tensors, **attributes)
    graph = composition(*map(variable, names)).optimize_for("MKLDNN")
    nodes = set(graph.get_internals().list_outputs()) - set(names)
    if len(nodes) != 1:
        raise UnsupportedError(f"mxnet did not fuse: the graph holds {', '.join(sorted(nodes))}")
    by_name = dict(zip(names, tensors, strict=True))
    return partial(cached_op(graph, STATIC), *(by_name[name] for name in graph.list_inputs()))


def fusable(compose: Callable[..., Composition], *calls: str, **options: Any) -> Fusable:
    """Return the implementation of a composition, for arrays and for symbols alike.

    The options are those of its last call beyond the operator's attributes.
    """
    compose, count = partial(compose, **options), len(calls)
    graph = ["mxnet.nd.CachedOp", "mxnet.symbol.var", *(f"mxnet.symbol.{call}" for call in calls)]
    parts = " + ".join(f"mxnet.nd.{call}" for call in calls)
    return Fusable(
        fused=built(" + ".join(graph), partial(subgraph, compose, count), compiles=True),
        unfused=built(parts, partial(eager, compose, count)),
    )
