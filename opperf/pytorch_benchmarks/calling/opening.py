"""Making a network of PyTorch: by a user's factory, from ours, or from a library's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from opperf.calls.capturing.factory import batch_of, call_factory, find
from opperf.calls.capturing.source import BUILTIN, FACTORY
from opperf.core.errors import UsageError
from opperf.networks.pytorch.libraries import LIBRARIES, make_library_model
from opperf.networks.registry import find_entry, make_model
from opperf.pytorch_benchmarks.calling.network import TorchNetwork

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opperf.calls.capturing.source import Source

WANTED = "must return a network (torch.nn.Module) and its example inputs, and a loss if it likes"


@dataclass(frozen=True)
class Made:
    """A module, what it is called with by position and by name, a loss of what it returns."""

    module: Any
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] | None = None
    loss: Callable[[Any], Any] | None = None
    batch: int | None = None


class TorchNetworks:
    """PyTorch's networks."""

    def open(self, source: Source) -> TorchNetwork:
        """Make a network on its device, in its mode."""
        makers = {
            FACTORY: by_factory,
            BUILTIN: built_in,
            **dict.fromkeys(LIBRARIES, from_library),
        }
        if source.kind not in makers:
            raise UsageError(f"{source.text}: pytorch has {', '.join(makers)}")
        made = makers[source.kind](source)
        if not any(True for _ in made.module.parameters()) and source.mode == "training":
            raise UsageError(
                f"{source.text} has no parameters; --mode inference captures a forward"
            )
        module = made.module.to(source.device)
        args, kwargs = placed((made.args, dict(made.kwargs or {})), source.device)
        return TorchNetwork(module, (args, kwargs), made.loss, source.mode, made.batch)

    def state(self) -> dict[str, object]:
        """Return what PyTorch does by default for all that comes after."""
        return {
            "default dtype": str(torch.get_default_dtype()),
            "default device": str(torch.get_default_device()),
            "recording of gradients": torch.is_grad_enabled(),
            "deterministic algorithms": torch.are_deterministic_algorithms_enabled(),
        }


def placed(value: Any, device: str) -> Any:
    """Return the inputs, their tensors on the device."""
    if isinstance(value, torch.Tensor):
        return value.to(device)
    if isinstance(value, (list, tuple)):
        return type(value)(placed(item, device) for item in value)
    if isinstance(value, dict):
        return {name: placed(item, device) for name, item in value.items()}
    return value


def by_factory(source: Source) -> Made:
    """Return what a user's function makes: a network, its inputs and perhaps a loss."""
    factory = find(source)
    found = call_factory(source, factory)
    parts = found if isinstance(found, tuple) else (found,)
    if len(parts) not in (2, 3) or not isinstance(parts[0], torch.nn.Module):
        kinds = ", ".join(type(part).__name__ for part in parts)
        raise UsageError(f"{source.text} returned {kinds or 'nothing'}; {WANTED}")
    module, inputs, *loss = parts
    module = getattr(module, "_orig_mod", module)  # what torch.compile has wrapped
    args = inputs if isinstance(inputs, (list, tuple)) else (inputs,)
    kwargs = inputs if isinstance(inputs, dict) else None
    batch = batch_of(source, factory)
    return Made(module, () if kwargs else tuple(args), kwargs, loss[0] if loss else None, batch)


def built_in(source: Source) -> Made:
    """Return one of our own networks."""
    model = make_model(find_entry(source.name, "pytorch"))
    batch = source.batch or model.batch
    inputs, target = model.example(batch, np.random.default_rng(0))
    labels = model.tensor(target).to(source.device)
    return Made(
        model, (*map(model.tensor, inputs),), None, lambda output: model.loss(output, labels), batch
    )


def from_library(source: Source) -> Made:
    """Return a model of a library's, on random inputs."""
    model = make_library_model(f"{source.kind}:{source.name}")
    batch = source.batch or model.batch
    inputs, _ = model.example(batch, np.random.default_rng(0))
    tensors = tuple(map(model.tensor, inputs))
    if model.names:
        return Made(model.module, (), dict(zip(model.names, tensors, strict=True)), batch=batch)
    return Made(model.module, tensors, batch=batch)
