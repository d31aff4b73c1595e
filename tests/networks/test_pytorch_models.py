"""Each network of PyTorch is the published one, and makes a step of training."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from opperf.networks.discovery import find_entries
from opperf.networks.registry import implementation_of, make_model
from tests.conftest import ROOT
from tests.networks.published import DLBS, DLBS_ONLY, LIBRARIES, OPERATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.networks.pytorch.model import Model

ENTRIES = find_entries("pytorch")
BATCH = 2
SHAPES = {
    "acoustic_model": (BATCH, 8192),
    "eng_acoustic_model": (BATCH, 8192),
    "bert_base": (BATCH, 768),
    "deep_mnist": (BATCH, 10),
    "deep_speech2": (BATCH, 67, 842),
    "dlrm": (BATCH, 1),
    "gpt2": (BATCH, 128, 50257),
    "lstm": (BATCH, 35, 10000),
    "sensor_net": (BATCH, 16),
    "unet": (BATCH, 1, 256, 256),
}
"""What networks return at their default size, if it is no score of each of 1000 classes."""
NEAR = 0.005
"""Tables are rounded, and some count a batch normalization or a bias too."""


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Compute on one thread: several wait for each other where other tests run beside these."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def smallest(name: str) -> Model:
    """Return a network of the least size that a step works with."""
    torch.manual_seed(0)
    entry = ENTRIES[name]
    return make_model(entry, implementation_of(entry)[0].tiny)


@cache
def unallocated(name: str) -> Model:
    """Return a network of its default size whose numbers take no memory, for inference."""
    with torch.device("meta"):
        return make_model(ENTRIES[name]).eval()


@cache
def described(name: str) -> tuple[tuple[int, ...], float]:
    """Return what shape the output has, and how many billions of operations an example takes."""
    network = unallocated(name)
    inputs, _ = example(network, "meta")
    with FlopCounterMode(display=False) as counter:
        output = network(*inputs)
    return tuple(output.shape), counter.get_total_flops() / 2 / BATCH / 1e9


def example(network: Model, device: str = "cpu") -> Any:
    """Return the network's inputs and labels as tensors on a device."""
    inputs, labels = network.example(BATCH, np.random.default_rng(0))
    return [network.tensor(one).to(device) for one in inputs], network.tensor(labels).to(device)


def trained(network: nn.Module) -> int:
    """Return how many numbers a step changes."""
    return sum(one.numel() for one in network.parameters() if one.requires_grad)


def in_caffe(network: nn.Module) -> int:
    """Return how many numbers Caffe keeps of it: more of each batch normalization."""
    norms = [one for one in network.modules() if isinstance(one, nn.BatchNorm2d)]
    return trained(network) + sum(2 * norm.num_features + 1 for norm in norms)


@pytest.mark.parametrize("name", ENTRIES)
def test_parameters_are_as_many_as_stated(name: str) -> None:
    """In all its layers at the default size."""
    assert trained(unallocated(name)) == ENTRIES[name].parameters


@pytest.mark.parametrize(("name", "count"), DLBS.items())
def test_parameters_are_as_many_as_those_of_dlbs(name: str, count: int) -> None:
    """To the last one, with what Caffe keeps beside them and what dlbs alone has."""
    assert in_caffe(unallocated(name)) + DLBS_ONLY.get(name, 0) == count


@pytest.mark.parametrize(("name", "count"), LIBRARIES.items())
def test_parameters_are_as_many_as_those_of_libraries(name: str, count: int) -> None:
    """To the last one."""
    assert trained(unallocated(name)) == count


@pytest.mark.parametrize(("name", "billions"), OPERATIONS.items())
def test_an_example_takes_as_many_operations_as_published(name: str, billions: float) -> None:
    """Strides, paddings and poolings decide on them, and parameters do not show these."""
    _, found = described(name)
    assert found == pytest.approx(billions, rel=NEAR)


@pytest.mark.parametrize("name", ENTRIES)
def test_output_has_a_score_of_each_class(name: str) -> None:
    """At the default size, without a number of it being computed."""
    shape, _ = described(name)
    assert shape == SHAPES.get(name, (BATCH, 1000))


@pytest.mark.parametrize("name", ENTRIES)
def test_a_step_at_the_least_size_reaches_every_parameter(name: str) -> None:
    """With a finite loss, and a finite gradient of each."""
    network = smallest(name)
    inputs, labels = example(network)
    loss = network.loss(network(*inputs), labels)
    assert loss.shape == ()
    assert loss.isfinite()
    loss.backward()
    gradients = {path: one.grad for path, one in network.named_parameters()}
    assert [path for path, one in gradients.items() if one is None] == []
    assert [path for path, one in gradients.items() if not one.sum().isfinite()] == []


@pytest.mark.parametrize("name", ["alexnet", "deep_mnist", "deep_speech2", "googlenet"])
def test_half_precision_works_where_a_layer_is_special(name: str) -> None:
    """Normalization over channels, recurrent layers, and losses with a kernel of their own."""
    network = smallest(name)
    inputs, labels = example(network)
    for dtype in (torch.bfloat16, torch.float16):
        output = network.to(dtype)(*(one.to(dtype) for one in inputs))
        assert output.dtype == dtype
        assert network.loss(output, labels).isfinite()


def test_gpt2_begins_as_if_it_guessed() -> None:
    """All words are about as likely, though the scores are made by the embeddings."""
    network = smallest("gpt2").eval()
    inputs, labels = example(network)
    loss = network.loss(network(*inputs), labels).item()
    assert loss == pytest.approx(math.log(network.classes), rel=0.1)


def test_the_document_names_every_network() -> None:
    """In its table, so that each says what it was taken from."""
    document = (ROOT / "docs/networks.md").read_text(encoding="utf-8")
    _, _, text = document.partition("\n## Which networks there are\n")
    table = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    assert sorted(re.findall(r"`(\w+)`", "".join(table))) == sorted(ENTRIES)
