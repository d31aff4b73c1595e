"""Modules as they are measured: in inference mode, without gradients, on their device."""

from __future__ import annotations

from functools import partial
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.models import LoadedModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.frameworks.device import Step

PLACED = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def ready(module: Any, device: str) -> Any:
    """Return a module on its device, in inference mode, of which nothing is differentiated."""
    return without_gradients(module.to(device).eval())


def without_gradients(module: Any) -> Any:
    """Return a module by whose parameters nothing is differentiated."""
    for parameter in module.parameters():
        parameter.requires_grad_(requires_grad=False)
    return module


def parameter_names(module: Any) -> tuple[str, ...]:
    """Return the parameters of a module's forward that have no default."""
    try:
        parameters = signature(module.forward).parameters.values()
    except (TypeError, ValueError):
        return ()
    if any(each.kind is Parameter.VAR_POSITIONAL for each in parameters):
        return ()
    return tuple(
        each.name for each in parameters if each.kind in PLACED and each.default is Parameter.empty
    )


def called_in_order(module: Any, inputs: tuple[str, ...]) -> LoadedModel:
    """Return a model that takes its inputs by position."""

    def make_step(tensors: Sequence[Any]) -> Step:
        return partial(module, *tensors)

    return LoadedModel(inputs=inputs, make_step=make_step)
