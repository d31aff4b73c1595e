"""Modules as torch.save writes them: pickles, whose reading runs what their author put there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from opperf.core.errors import UsageError, error_text
from opperf.pytorch_benchmarks.loading.module import called_in_order, parameter_names, ready

if TYPE_CHECKING:
    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.models import LoadedModel, ModelFiles

WHY = (
    "a module that torch.save wrote is a pickle, which can run any code as it is read; "
    "store it by torch.jit.save or torch.export.save"
)


def load(framework: Framework, model: ModelFiles, device: str) -> LoadedModel:
    """Return a whole module that was pickled, if it is trusted."""
    del framework
    model.check_options()
    path = model.file("model")
    model.require_trust(WHY)
    try:
        module = torch.load(path, map_location="cpu", weights_only=False)
    except Exception as error:
        raise UsageError(f"{model}: {path.name} cannot be read: {error_text(error)}") from error
    if not isinstance(module, torch.nn.Module):
        raise UsageError(
            f"{model}: {path.name} holds {type(module).__name__}; must be a torch.nn.Module; "
            "weights alone are the file 'weights' of the format python"
        )
    return called_in_order(ready(module, device), parameter_names(module))
