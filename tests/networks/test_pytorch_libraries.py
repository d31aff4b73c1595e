"""Models of torchvision and transformers are networks too; stand-ins have their interfaces."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from torch import nn

from opperf.core.errors import UsageError
from opperf.networks.pytorch.libraries import make_library_model


class Words(nn.Module):
    """An encoder and a decoder of tokens, in the manner of transformers."""

    main_input_name = "input_ids"

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.words = nn.Embedding(config.vocab_size, 4)

    def forward(self, *, input_ids: Any, decoder_input_ids: Any) -> Any:
        """Return hidden states, by name and beside others."""
        states = self.words(input_ids) + self.words(decoder_input_ids)
        return {"last_hidden_state": states, "past": (states,)}


class Pixels(nn.Module):
    """A convolution of images of one size, in the manner of transformers."""

    main_input_name = "pixel_values"

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.patches = nn.Conv2d(config.num_channels, 4, config.image_size)

    def forward(self, *, pixel_values: Any) -> Any:
        """Return hidden states as a tuple of one."""
        return (self.patches(pixel_values),)


class Sound(nn.Module):
    """A model whose inputs are neither tokens nor pixels."""

    main_input_name = "input_values"

    def __init__(self, _config: Any) -> None:
        super().__init__()


CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "words": {
        "made": Words, "vocab_size": 9, "max_position_embeddings": 16, "is_encoder_decoder": True,
    },
    "pixels": {"made": Pixels, "image_size": 8, "num_channels": 1},
    "sound": {"made": Sound},
}  # fmt: skip


@pytest.fixture(autouse=True)
def _libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put modules with their interfaces where the libraries are imported from."""
    transformers: Any = ModuleType("transformers")
    transformers.CONFIG_MAPPING = CONFIGURATIONS
    transformers.AutoConfig = SimpleNamespace(
        for_model=lambda name: SimpleNamespace(**CONFIGURATIONS[name])
    )
    transformers.AutoModel = SimpleNamespace(from_config=lambda config: config.made(config))
    torchvision: Any = ModuleType("torchvision")
    layers = nn.Conv2d(3, 2, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten()
    torchvision.models = SimpleNamespace(
        list_models=lambda: ["resnet50"], get_model=lambda _name, **_weights: nn.Sequential(*layers)
    )
    for module in (transformers, torchvision):
        monkeypatch.setitem(sys.modules, module.__name__, module)


@pytest.mark.parametrize(
    ("name", "size", "shapes"),
    [
        ("torchvision:resnet50", None, [(2, 3, 224, 224)]),
        ("torchvision:resnet50", 32, [(2, 3, 32, 32)]),
        ("transformers:words", None, [(2, 16), (2, 16)]),
        ("transformers:words", 5, [(2, 5), (2, 5)]),
        ("transformers:pixels", None, [(2, 1, 8, 8)]),
        ("transformers:pixels", 6, [(2, 1, 6, 6)]),
    ],
)
def test_a_model_of_a_library_makes_a_step(
    name: str, size: int | None, shapes: list[tuple[int, ...]]
) -> None:
    """On inputs as it takes them, of the size asked for."""
    model = make_library_model(name, size)
    inputs, labels = model.example(2, np.random.default_rng(0))
    assert [one.shape for one in inputs] == shapes
    loss = model.loss(model(*map(model.tensor, inputs)), model.tensor(labels))
    loss.backward()
    assert loss.shape == ()
    assert loss.isfinite()
    assert all(one.grad is not None and one.grad.isfinite().all() for one in model.parameters())


def test_tokens_are_of_the_vocabulary() -> None:
    """All of them."""
    (words, _), _ = make_library_model("transformers:words").example(99, np.random.default_rng(0))
    assert set(words.flat) == set(range(9))


@pytest.mark.parametrize(
    ("name", "size", "words"),
    [
        ("torchvison:resnet50", None, "unknown library of models 'torchvison'; did you mean"),
        ("torchvision:resnet5", None, "did you mean 'resnet50'?"),
        ("transformers:word", None, "did you mean 'words'?"),
        ("transformers:words", 17, "transformers 'words' of 17 tokens: it takes at most 16"),
        ("transformers:sound", None, "takes input_values, and examples are made of"),
        ("transformers:pixels", -1, "transformers 'pixels' cannot be made: "),
    ],
)
def test_what_cannot_be_made_is_one_line(name: str, size: int | None, words: str) -> None:
    """Which says what is there, or what is allowed."""
    with pytest.raises(UsageError) as error:
        make_library_model(name, size)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("library", ["torchvision", "transformers"])
def test_a_missing_library_is_told_from_a_broken_one(
    library: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    """One that lacks what it needs is installed, and cannot be imported."""
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(UsageError, match=f"{library} is not installed"):
        make_library_model(f"{library}:any")
    monkeypatch.delitem(sys.modules, library)
    (tmp_path / f"{library}.py").write_text("import a_module_that_is_nowhere\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UsageError, match=f"{library} cannot be imported: .*nowhere"):
        make_library_model(f"{library}:any")
