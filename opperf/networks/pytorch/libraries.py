"""Models of torchvision and transformers with random weights, by the names they have there."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from opperf.core.errors import UsageError, error_text, unknown
from opperf.networks.examples import below
from opperf.networks.pytorch.model import Model

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.random import Generator
    from torch import nn

    from opperf.networks.examples import Example

IMAGE, CHANNELS, LENGTH = 224, 3, 128
"""Pixels of an image, its channels, and tokens of a text, where a library does not say."""
TOKENS, PIXELS = "input_ids", "pixel_values"


class LibraryModel(Model):
    """A module of a library; whatever it returns first are the scores of an example's classes.

    `shape` is that of an example, of floating-point numbers, or of tokens below `vocabulary`.
    `names` are those of the inputs, where they are not given by position; all get the same.
    """

    # The least that the numbers of any output can be scores of.
    batch, classes = 1, 2

    def __init__(
        self,
        module: nn.Module,
        shape: Sequence[int],
        vocabulary: int = 0,
        names: Sequence[str] = (),
    ) -> None:
        super().__init__(shape[-1])
        self.module, self.shape, self.vocabulary, self.names = module, shape, vocabulary, names

    def inputs(self, batch: int, generator: Generator) -> np.ndarray[Any, Any]:
        """Return random numbers or tokens."""
        if self.vocabulary:
            return below(generator, self.vocabulary, (batch, *self.shape))
        return generator.random((batch, *self.shape), dtype="float32")

    def example(self, batch: int, generator: Generator) -> Example:
        """Return what the module takes, and a class of each example."""
        inputs = self.inputs(batch, generator)
        return (inputs,) * max(1, len(self.names)), below(generator, self.classes, (batch,))

    def forward(self, *inputs: Any) -> Any:
        """Return the first tensor that the module returns."""
        if self.names:
            return first(self.module(**dict(zip(self.names, inputs, strict=True))))
        return first(self.module(*inputs))

    def loss(self, output: Any, labels: Any) -> Any:
        """Return the mean cross-entropy of all numbers of an example's output with its class."""
        return super().loss(output.flatten(1), labels)


def first(output: Any) -> Any:
    """Return the first tensor of a tuple or a dictionary, of one in another too."""
    while not isinstance(output, torch.Tensor):
        output = next(iter(output.values() if isinstance(output, dict) else output))
    return output


def make_library_model(name: str, size: int | None = None) -> LibraryModel:
    """Return a model by its library and its name there, such as transformers:bert.

    Raises:
        UsageError: the library is not here, or has no such model, or not of this size.
    """
    library, _, model = name.partition(":")
    if library not in LIBRARIES:
        raise UsageError(unknown("library of models", library, LIBRARIES))
    try:
        return LIBRARIES[library](model, size)
    except UsageError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a model of theirs raises
        raise UsageError(f"{library} {model!r} cannot be made: {error_text(error)}") from None


def imported(library: str, model: str) -> Any:
    """Return a library.

    Raises:
        UsageError: it is not here, or not built for this torch.
    """
    try:
        return import_module(library)
    except Exception as error:  # noqa: BLE001 - whatever an import raises
        if isinstance(error, ModuleNotFoundError) and error.name == library:
            remedy = f"install a {library} that fits torch {torch.__version__}"
            if library == "torchvision" and torch.__version__.endswith("+cpu"):
                remedy += "; PyPI's wheels of it are built for CUDA, and do not load beside this"
            raise UsageError(f"{library} {model!r}: {library} is not installed; {remedy}") from None
        remedy = f"it has to be built for torch {torch.__version__}"
        said = f"{library} cannot be imported: {error_text(error)}"
        raise UsageError(f"{library} {model!r}: {said}; {remedy}") from None


def torchvision_model(name: str, size: int | None = None) -> LibraryModel:
    """Return a model of torchvision's, for images."""
    models = imported("torchvision", name).models
    if name not in models.list_models():
        raise UsageError(unknown("torchvision model", name, models.list_models()))
    side = size or IMAGE
    return LibraryModel(models.get_model(name, weights=None), (CHANNELS, side, side))


def transformers_model(name: str, size: int | None = None) -> LibraryModel:
    """Return a model of Hugging Face's, by its type or by its configuration."""
    transformers = imported("transformers", name)
    config = configuration(transformers, name)
    if size and hasattr(config, "image_size"):
        config.image_size = size
    module = transformers.AutoModel.from_config(config)
    names = [module.main_input_name]
    if getattr(config, "is_encoder_decoder", False):
        names.append(f"decoder_{module.main_input_name}")
    if names[0] == TOKENS:
        most = getattr(config, "max_position_embeddings", None) or LENGTH
        if size and size > most:
            raise UsageError(f"transformers {name!r} of {size} tokens: it takes at most {most}")
        return LibraryModel(module, (size or min(LENGTH, most),), config.vocab_size, names)
    if names[0] == PIXELS:
        side = getattr(config, "image_size", size or IMAGE)
        height, width = side if isinstance(side, (list, tuple)) else (side, side)
        return LibraryModel(
            module, (getattr(config, "num_channels", CHANNELS), height, width), 0, names
        )
    raise UsageError(
        f"transformers {name!r} takes {names[0]}, and examples are made of {TOKENS} and {PIXELS}"
    )


def configuration(transformers: Any, name: str) -> Any:
    """Return a configuration: that of a folder or a file here, else the usual one of a type."""
    types = transformers.CONFIG_MAPPING
    try:
        if Path(name).exists():
            return transformers.AutoConfig.from_pretrained(name, local_files_only=True)
        if name in types:
            return transformers.AutoConfig.for_model(name)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with a file
        raise UsageError(f"transformers {name!r} cannot be read: {error_text(error)}") from None
    raise UsageError(unknown("transformers model type or configuration file", name, types))


LIBRARIES = {"torchvision": torchvision_model, "transformers": transformers_model}
