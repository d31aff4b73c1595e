"""A network in PyTorch with example inputs: its step, its calls, its profile."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import torch

from opperf.calls.capturing.source import LOSS, TRAINING
from opperf.calls.ranking.tally import BACKWARD, FORWARD, Tally
from opperf.core.errors import UsageError
from opperf.pytorch_benchmarks.calling.capture import CaptureMode
from opperf.pytorch_benchmarks.calling.places import Places
from opperf.pytorch_benchmarks.calling.profile import profile_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from opperf.calls.capturing.source import StepProfile


class TorchNetwork:
    """A module on its example inputs; a training step drops the last gradients first.

    Without a loss the gradient of each output is ones. No optimizer is part of a step.
    """

    def __init__(
        self,
        module: Any,
        inputs: tuple[tuple[Any, ...], Mapping[str, Any]],
        loss: Callable[[Any], Any] | None,
        mode: str,
        batch: int | None = None,
    ) -> None:
        self.module, self.loss, self.training = module, loss, mode == TRAINING
        self.args, self.kwargs = inputs
        self.module.train(self.training)
        self.batch = batch
        self.parameters = sum(parameter.numel() for parameter in module.parameters())
        self.ones: dict[tuple[Any, ...], Any] = {}
        self.operators: set[str] = set()
        self.order: list[int] = []

    def step(self, places: Places | None = None) -> None:
        """Make one step: a forward without a graph, or a forward, the loss and a backward."""
        if not self.training:
            with torch.no_grad():
                self.module(*self.args, **self.kwargs)
            return
        self.module.zero_grad(set_to_none=True)
        begin = places.begin if places else lambda *_: None
        outputs = self.module(*self.args, **self.kwargs)
        if self.loss is not None:
            begin(LOSS, FORWARD)
            outputs = self.loss(outputs)
            begin(LOSS, BACKWARD)
        else:
            begin("", BACKWARD)
        self.backward(outputs)

    def backward(self, outputs: Any) -> None:
        """Differentiate a loss, or all outputs that have a gradient."""
        found = [each for each in differentiable(outputs) if each.requires_grad]
        if not found:
            raise UsageError("no output has a gradient; --mode inference captures a forward alone")
        if found[0].dim() == 0:
            found[0].backward()
            return
        torch.autograd.backward(found, [self.ones_like(each) for each in found])

    def ones_like(self, output: Any) -> Any:
        """Return the gradient of an output, made once: it is no part of the network."""
        key = tuple(output.shape), output.dtype
        if key not in self.ones:
            self.ones[key] = torch.ones_like(output, memory_format=torch.contiguous_format)
        return self.ones[key]

    def calls(self) -> list[dict[str, Any]]:
        """Return the distinct operator calls of a step, whatever was compiled run eagerly."""
        tally, places = Tally(), Places(self.module)
        with eager(), places.watch(), CaptureMode(tally, places.place):
            self.step(places)
        calls, self.order = tally.calls(), tally.order
        self.operators = {call["operator"].rpartition(".")[0] for call in calls}
        return calls

    def profile(self, steps: int) -> StepProfile:
        """Return what steps take under PyTorch's profiler."""
        return profile_steps(self.step, steps, self.operators)


def differentiable(outputs: Any) -> Iterator[Any]:
    """Yield the tensors of what a network returns; of what has a loss, that alone."""
    loss = getattr(outputs, "loss", None)
    if isinstance(loss, torch.Tensor):
        yield loss
    elif isinstance(outputs, torch.Tensor):
        yield outputs
    elif isinstance(outputs, dict):
        yield from differentiable(list(outputs.values()))
    elif isinstance(outputs, (list, tuple)):
        for each in outputs:
            yield from differentiable(each)


def eager() -> Any:
    """Return the context in which what torch.compile has wrapped runs as it was written."""
    stance = getattr(torch.compiler, "set_stance", None)  # PyTorch 2.6
    return stance("force_eager") if stance else nullcontext()
