"""Gluon blocks that a function makes, with parameters from a file where there is one."""

from __future__ import annotations

from functools import partial
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

import mxnet

from opperf.core.errors import UsageError, error_text
from opperf.core.frameworks.factory import make_by_factory
from opperf.core.frameworks.models import LoadedModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.models import ModelFiles

WEIGHTS = "weights"


def load(framework: Framework, model: ModelFiles, device: str) -> LoadedModel:
    """Return what a factory makes, as it makes it: hybridized or not."""
    framework.device(device)
    block = make_by_factory(model, mxnet.gluon.Block, "a Gluon block (mxnet.gluon.Block)")
    if WEIGHTS in model.files:
        path = model.file(WEIGHTS)
        try:
            block.load_parameters(str(path))
        except Exception as error:
            raise UsageError(f"{model}: weights {path.name}: {error_text(error)}") from error
    for parameter in block.collect_params().values():
        if parameter._data is None and not parameter._deferred_init:  # noqa: SLF001 - or asked by an error
            parameter.initialize()  # random, as for a network of the model zoo
        parameter.grad_req = "null"

    def make_step(tensors: Sequence[Any]) -> Step:
        return partial(block, *tensors)

    return LoadedModel(inputs=parameter_names(block), make_step=make_step)


def parameter_names(block: Any) -> tuple[str, ...]:
    """Return the parameters of a block's forward that have no default and are no weights."""
    kind = type(block)
    hybrid = kind.forward is mxnet.gluon.HybridBlock.forward
    parameters = signature(kind.hybrid_forward if hybrid else kind.forward).parameters.values()
    first = 2 if hybrid else 1  # the block itself, and the module of functions
    named = list(parameters)[first:]
    if any(each.kind is Parameter.VAR_POSITIONAL for each in named):
        return ()
    weights = getattr(block, "_reg_params", {})
    return tuple(
        each.name
        for each in named
        if each.kind is Parameter.POSITIONAL_OR_KEYWORD
        and each.default is Parameter.empty
        and each.name not in weights
    )
