"""PyTorch's fused operators, by torch.compile, and the parts that they replace."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UnsupportedError
from opperf.core.frameworks.implementation import Fusable, built
from opperf.pytorch_benchmarks.compiler import require_compiler

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.frameworks.device import Step

    Calls = Sequence[Callable[..., Any]]
    Composition = Callable[..., Any]


FUNCTIONS = "torch.nn.functional"

WHOLE = {"fullgraph": True, "dynamic": False}
"""Raise an error rather than compile in pieces; compile for these shapes alone."""

STATE = (
    "0.weight", "0.bias", "1.weight", "1.bias", "1.running_mean", "1.running_var",
)  # fmt: skip
"""The names of the operator's tensors in a Sequential of convolution and batch normalization."""


def conv_batch_norm(calls: Calls, *, stride: int, padding: int, eps: float) -> Composition:
    """Convolution -> batch_norm by the moving statistics."""
    conv2d, batch_norm = calls

    def composition(data: Any, weight: Any, bias: Any, *statistics: Any) -> Any:
        gamma, beta, mean, var = statistics
        convolved = conv2d(data, weight, bias, stride, padding)
        return batch_norm(convolved, mean, var, gamma, beta, eps=eps)

    return composition


def conv_batch_norm_relu(calls: Calls, **attributes: Any) -> Composition:
    """Convolution -> batch_norm by the moving statistics -> relu."""
    *calls, relu = calls
    normalized = conv_batch_norm(calls, **attributes)

    def composition(*tensors: Any) -> Any:
        return relu(normalized(*tensors))

    return composition


def two(calls: Calls, **last: Any) -> Composition:
    """A call, then another with options of its own."""
    first, second = calls

    def composition(*tensors: Any) -> Any:
        return second(first(*tensors), **last)

    return composition


def layer_norm_residual(calls: Calls, *, eps: float) -> Composition:
    """Add -> layer_norm."""
    add, layer_norm = calls

    def composition(data: Any, residual: Any, gamma: Any, beta: Any) -> Any:
        return layer_norm(add(data, residual), gamma.shape, gamma, beta, eps)

    return composition


def eager(compose: Callable[..., Composition], count: int, *parts: Any, **attributes: Any) -> Step:
    """Bind a composition of `count` calls, which come first, to the tensors."""
    return partial(compose(parts[:count], **attributes), *parts[count:])


def whole(compile_: Callable[..., Any], model: Any, *, freezing: bool) -> Any:
    """Return the model compiled as one graph, or raise.

    PyTorch gives up after some shapes of the same function, so each compilation starts afresh.
    Whether parameters are frozen is read when the compiled model is first called, not from an
    option.
    """
    import torch
    from torch._inductor import config

    require_compiler()
    torch.compiler.reset()
    config.freezing = freezing
    compiled = compile_(model, **WHOLE)
    if compiled is model:
        raise UnsupportedError("torch.compile is switched off in the environment")
    return compiled


@lru_cache(maxsize=1)
def compile_composition(
    compose: Callable[..., Composition], count: int, compile_: Callable[..., Any],
    *parts: Any, **attributes: Any,
) -> Step:  # fmt: skip
    """Bind the composition, compiled once for these tensors."""
    composition = compose(parts[:count], **attributes)
    return partial(whole(compile_, composition, freezing=False), *parts[count:])


@lru_cache(maxsize=1)
def compile_folded(  # noqa: PLR0913 - how to compile, and what
    compile_: Callable[..., Any], sequence: Callable[..., Any], convolution: Callable[..., Any],
    norm: Callable[..., Any], *parts: Any, stride: int, padding: int, eps: float,
) -> Step:  # fmt: skip
    """Bind a compiled model with constant parameters, which are folded during compilation."""
    *layers, data = parts[: -len(STATE)]
    weight = parts[-len(STATE)]
    filters, channels, *kernel = weight.shape
    model = sequence(
        convolution(channels, filters, kernel, stride, padding, dtype=weight.dtype),
        norm(filters, eps, dtype=weight.dtype),
        *(layer() for layer in layers),
    )
    state = dict(zip(STATE, parts[-len(STATE) :], strict=True))
    model.load_state_dict(state, strict=False, assign=True)
    return partial(whole(compile_, model.eval(), freezing=True), data)


def fusable(compose: Callable[..., Composition], *calls: str) -> Fusable:
    """Return the implementation of a composition, compiled or eager."""
    count, names = len(calls), " + ".join(calls)
    return Fusable(
        fused=built(
            f"torch.compile + {names}", partial(compile_composition, compose, count), compiles=True
        ),
        unfused=built(names, partial(eager, compose, count)),
    )


def foldable(compose: Callable[..., Composition], *calls: str) -> Fusable:
    """Return the implementation of a model of layers, and of the calls that they stand for."""
    layers = " + ".join(f"torch.nn.{name}" for name in ("Sequential", "Conv2d", "BatchNorm2d"))
    relu = " + torch.nn.ReLU" * ("torch.relu" in calls)
    return Fusable(
        fused=built(f"torch.compile + {layers}{relu}", compile_folded, compiles=True),
        unfused=built(" + ".join(calls), partial(eager, compose, len(calls))),
    )
