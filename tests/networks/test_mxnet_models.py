"""Each network of MXNet is the published one, and makes a step of training."""

from __future__ import annotations

from importlib import import_module
from math import prod, sqrt
from typing import Any

import numpy as np
import pytest

from opperf.core.frameworks.registry import find_framework
from opperf.networks.discovery import find_entries
from opperf.networks.registry import implementation_of, make_model

if not find_framework("mxnet").is_installed():
    pytest.skip("mxnet is not installed", allow_module_level=True)

mxnet = find_framework("mxnet").mxnet
ENTRIES = find_entries("mxnet")
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


class Repeated(mxnet.init.Initializer):
    """One draw for all weights, repeated and scaled: a draw of each takes longer than a step."""

    numbers = np.random.default_rng(0).standard_normal(9973, dtype=np.float32)

    def _init_weight(self, _: str, array: Any) -> None:
        scale = sqrt(2 / prod(array.shape[1:]))
        array[:] = np.resize(scale * self.numbers, array.shape)


def smallest(name: str) -> Any:
    """Return a network of the least size that a step works with."""
    entry = ENTRIES[name]
    return make_model(entry, implementation_of(entry)[0].tiny)


def learned(network: Any) -> dict[str, Any]:
    """Return the parameters that a step changes."""
    found = network.collect_params().items()
    return {name: parameter for name, parameter in found if parameter.grad_req != "null"}


def example(network: Any) -> tuple[list[Any], Any]:
    """Return the network's inputs and labels as arrays of MXNet."""
    inputs, labels = network.example(BATCH, np.random.default_rng(0))
    return [network.tensor(one) for one in inputs], network.tensor(labels)


def shape_of(output: Any, **shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of a symbol's value, which is not computed."""
    _, (shape,), _ = output.infer_shape(**shapes)
    return tuple(shape)


def test_both_frameworks_have_the_same_networks() -> None:
    """By the same names and titles, with as many parameters."""
    facts = [
        {name: (entry.title, entry.parameters) for name, entry in find_entries(framework).items()}
        for framework in ("mxnet", "pytorch")
    ]
    assert facts[0] == facts[1]


@pytest.mark.parametrize("name", ENTRIES)
def test_parameters_are_as_many_as_stated(name: str) -> None:
    """In all its layers at the default size."""
    found = learned(make_model(ENTRIES[name]))
    assert sum(prod(one.shape) for one in found.values()) == ENTRIES[name].parameters


@pytest.mark.parametrize("name", ENTRIES)
def test_output_has_a_score_of_each_class(name: str) -> None:
    """At the default size, and a loss of each example, without a number of it being computed."""
    network = make_model(ENTRIES[name])
    inputs, labels = network.example(BATCH, np.random.default_rng(0))
    shapes = {f"data{place}": one.shape for place, one in enumerate(inputs)}
    output = network(*map(mxnet.symbol.var, shapes))
    assert shape_of(output, **shapes) == SHAPES.get(name, (BATCH, 1000))
    loss = network.loss(output, mxnet.symbol.var("labels"))
    assert shape_of(loss, **shapes, labels=labels.shape) == (BATCH,)


@pytest.mark.parametrize("name", ENTRIES)
def test_a_step_at_the_least_size_reaches_every_parameter(name: str) -> None:
    """With a finite loss of each example, and a finite gradient of each parameter."""
    network = smallest(name)
    network.initialize(Repeated())
    inputs, labels = example(network)
    with mxnet.autograd.record():
        loss = network.loss(network(*inputs), labels)
    loss.backward()
    assert loss.shape == (BATCH,)
    assert np.isfinite(loss.asnumpy()).all()
    gradients = {name: one.grad() for name, one in learned(network).items()}
    assert [path for path, one in learned(network).items() if not one.data()._fresh_grad] == []
    finite = {path: mxnet.nd.all_finite(one).asscalar() for path, one in gradients.items()}
    assert [path for path, each in finite.items() if not each] == []


def test_recurrent_layers_learn_from_their_first_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over all frames of a usual example, by the rate of `opperf model`."""
    entry = ENTRIES["deep_speech2"]
    monkeypatch.setattr(import_module(entry.module), "HIDDEN", 128)
    mxnet.random.seed(0)
    network = make_model(entry)
    network.initialize(mxnet.init.Xavier())
    inputs, labels = example(network)
    trainer = mxnet.gluon.Trainer(
        network.collect_params(), "sgd", {"learning_rate": 0.01, "momentum": 0.9}
    )
    losses = []
    for _ in range(4):
        with mxnet.autograd.record():
            loss = network.loss(network(*inputs), labels)
        loss.backward()
        trainer.step(BATCH)
        losses.append(loss.mean().asscalar())
    assert losses == sorted(losses, reverse=True)
