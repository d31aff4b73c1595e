"""From a test to what is timed: its model loaded, its inputs on the device, one call of both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.core.checking.correctness import Outputs
from opperf.core.frameworks.models import ModelFiles
from opperf.core.frameworks.workload import Work, no_op_like
from opperf.specs.measuring.arrays import array_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.frameworks.device import Device
    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.models import LoadedModel
    from opperf.specs.measuring.parts import SpecModel
    from opperf.specs.measuring.task import SpecTask

SHORTEST = 1e-9
"""Seconds that a sample has to last: one inference is one sample, however short."""


@dataclass(frozen=True)
class Inference:
    """A loaded model on its inputs, all of them on the device.

    `step` makes one inference and nothing else; a device may still be at it when it returns.
    `unpack` makes a list of tensors of what it returns, whose `names` the model may know.
    """

    framework: Framework
    device: Device
    step: Callable[[], Any]
    unpack: Callable[[Any], Sequence[Any]]
    names: Sequence[str] = ()

    def work(self) -> Work:
        """Return the inference as what is timed, each by itself, with no graph recorded."""
        return Work(
            device=replace(self.device, interval=SHORTEST, constant=0.0),
            steps=partial(repeat, self.step),
            no_op=no_op_like(self.step),
            context=self.framework.inference,
        )

    def call(self) -> list[Any]:
        """Make one inference, wait for it, and return the tensors of its outputs."""
        with self.framework.inference():
            tensors = [*self.unpack(self.step())]
        self.device.synchronize()
        return tensors

    def outputs(self) -> Outputs:
        """Make one inference and return its outputs on the host."""
        tensors = self.call()
        return Outputs(map(self.framework.array, tensors), map(self.framework.dtype, tensors))


def open_inference(task: SpecTask, framework: Framework) -> Inference:
    """Return a test's model with its inputs.

    Raises:
        UsageError: its files, or its inputs, are not what the specification says.
    """
    device = framework.device(task.device)
    model = framework.load_model(files_of(task.model), task.device)
    listed = [*task.tensors]
    tensors = [
        framework.tensor(
            array_of(tensor, task.settings.seed), tensor.dtype, task.device, differentiable=False
        )
        for tensor in (listed[at] for at in order_of(model, [one.name for one in listed]))
    ]
    return Inference(framework, device, model.bind(tensors), model.unpack, model.outputs)


def order_of(model: LoadedModel, names: Sequence[str]) -> Sequence[int]:
    """Return which of the inputs goes where in the call: by name, or as they are listed.

    The latter where the model has as many and calls all of them otherwise: what is the same network
    in two frameworks seldom has the same names.

    Raises:
        UsageError: one is missing, or the model has no such input.
    """
    if len(names) == len(model.inputs) and not {*names} & {*model.inputs}:
        return range(len(names))
    return model.order(names)


def files_of(model: SpecModel) -> ModelFiles:
    """Return a model as its loader is given it."""
    return ModelFiles(
        name=model.name,
        format=model.format,
        files={role: Path(path) for role, path in model.files.items()},
        options=model.options,
        trust=model.trust,
    )
