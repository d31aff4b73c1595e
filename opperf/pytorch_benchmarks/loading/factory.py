"""Models that a function makes, with weights from a file where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from opperf.core.errors import UsageError, error_text
from opperf.core.frameworks.factory import make_by_factory
from opperf.pytorch_benchmarks.loading.module import called_in_order, parameter_names, ready

if TYPE_CHECKING:
    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.models import LoadedModel, ModelFiles

WEIGHTS = "weights"


def load(framework: Framework, model: ModelFiles, device: str) -> LoadedModel:
    """Return what a factory makes; its weights are read as tensors and nothing else."""
    del framework
    module = make_by_factory(model, torch.nn.Module, "a network (torch.nn.Module)")
    if WEIGHTS in model.files:
        path = model.file(WEIGHTS)
        try:
            state = torch.load(path, map_location="cpu", weights_only=True)
            module.load_state_dict(state)
        except Exception as error:
            raise UsageError(f"{model}: weights {path.name}: {error_text(error)}") from error
    return called_in_order(ready(module, device), parameter_names(module))
