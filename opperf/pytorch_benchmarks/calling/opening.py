"""Making a network of PyTorch: by a user's factory, from ours, or from a library's."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from opperf.calls.capturing.factory import batch_of, call_factory, find
from opperf.calls.capturing.source import BUILTIN, FACTORY
from opperf.core.errors import UsageError, error_text, unknown
from opperf.networks.registry import find_entry, make_model
from opperf.pytorch_benchmarks.calling.network import TorchNetwork

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opperf.calls.capturing.source import Source

IMAGE = (3, 224, 224)
LENGTH = 128
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
            "transformers": from_transformers,
            "torchvision": from_torchvision,
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


def library(source: Source) -> Any:
    """Return the library that a network is from.

    Raises:
        UsageError: it is not here, or not built for this torch.
    """
    try:
        return import_module(source.kind)
    except ModuleNotFoundError:
        remedy = f"install a {source.kind} that fits torch {torch.__version__}"
        if source.kind == "torchvision" and torch.__version__.endswith("+cpu"):
            remedy += "; PyPI's wheels of it are built for CUDA, and do not load beside this one"
        raise UsageError(f"{source.text}: {source.kind} is not installed; {remedy}") from None
    except Exception as error:  # noqa: BLE001 - whatever an import raises
        remedy = f"it has to be built for torch {torch.__version__}"
        said = f"{source.kind} cannot be imported: {error_text(error)}"
        raise UsageError(f"{source.text}: {said}; {remedy}") from None


def from_torchvision(source: Source) -> Made:
    """Return a classifier of torchvision's with random weights, on random images."""
    models = library(source).models
    if source.name not in models.list_models():
        raise UsageError(unknown("torchvision model", source.name, models.list_models()))
    module = models.get_model(source.name, weights=None)
    batch = source.batch or 1
    return Made(module, (torch.rand(batch, *IMAGE),), batch=batch)


def from_transformers(source: Source) -> Made:
    """Return a model of Hugging Face's with random weights, by its type or its configuration."""
    transformers = library(source)
    config = configuration(transformers, source)
    try:
        module = transformers.AutoModel.from_config(config)
        inputs = {
            module.main_input_name: example(config, module.main_input_name, source.batch or 1)
        }
    except Exception as error:  # noqa: BLE001 - whatever a model of theirs raises
        raise UsageError(f"{source.text} cannot be made: {error_text(error)}") from None
    if getattr(config, "is_encoder_decoder", False):
        inputs[f"decoder_{module.main_input_name}"] = inputs[module.main_input_name]
    return Made(module, (), inputs, batch=source.batch or 1)


def configuration(transformers: Any, source: Source) -> Any:
    """Return a configuration: that of a folder or a file here, else the usual one of a type."""
    from pathlib import Path

    types = transformers.CONFIG_MAPPING
    try:
        if Path(source.name).exists():
            return transformers.AutoConfig.from_pretrained(source.name, local_files_only=True)
        if source.name in types:
            return transformers.AutoConfig.for_model(source.name)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with a file
        raise UsageError(f"{source.text} cannot be read: {error_text(error)}") from None
    raise UsageError(unknown("transformers model type or configuration file", source.name, types))


def example(config: Any, name: str, batch: int) -> Any:
    """Return random tokens or images, as a model takes them."""
    if name == "input_ids":
        most = getattr(config, "max_position_embeddings", None) or LENGTH
        return torch.randint(config.vocab_size, (batch, min(LENGTH, most)))
    if name == "pixel_values":
        size = getattr(config, "image_size", IMAGE[-1])
        height, width = size if isinstance(size, (list, tuple)) else (size, size)
        return torch.rand(batch, getattr(config, "num_channels", IMAGE[0]), height, width)
    raise UsageError(f"it takes {name}, and examples are made of input_ids and pixel_values")
