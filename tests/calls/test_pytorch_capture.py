"""The calls of a network in PyTorch: each operator, where, how often, with which arguments."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from opperf.calls.capturing.source import INFERENCE, LOSS, TRAINING, Source
from opperf.calls.format.model import CallRecord
from opperf.core.errors import UsageError
from opperf.core.frameworks.registry import find_framework
from opperf.networks.registry import find_entry, make_model

torch = pytest.importorskip("torch")
TOYS = "tests.calls.toys"
PARAMETERS = {
    "resnet18": 11_689_512,
    "resnet50": 25_557_032,
    "mobilenet_v2": 3_504_872,
    "vgg16": 138_357_544,
    "vit_b_16": 86_567_656,
    "bert_base": 109_482_240,
    "gpt2": 124_439_808,
}
"""As published."""


def opened(name: str, **fields: Any) -> Any:
    """Return a network of the toys'."""
    source = Source(kind="factory", name=f"{TOYS}:{name}", **fields)
    return find_framework("pytorch").networks().open(source)


def places(calls: list[dict[str, Any]], phase: str) -> Counter[tuple[str, str]]:
    """Return how often each operator is called in each module."""
    found: Counter[tuple[str, str]] = Counter()
    for call in calls:
        operator = call["operator"].removeprefix("aten.").removesuffix(".default")
        for place in call["places"]:
            if place["phase"] == phase:
                found[place["module"], operator] += place["count"]
    return found


def arguments(calls: list[dict[str, Any]], operator: str) -> list[dict[str, Any]]:
    """Return the values by name of each distinct call of an operator."""
    return [
        {argument["name"]: argument["value"] for argument in call["arguments"]}
        for call in calls
        if call["operator"] == operator
    ]


def tensor(*shape: int, **fields: Any) -> dict[str, Any]:
    """Return a tensor as a calls file states it."""
    return {"type": "tensor", "shape": [*shape], "dtype": "float32", **fields}


@pytest.fixture(scope="module")
def calls() -> list[dict[str, Any]]:
    """Return the calls of a training step of the toy."""
    network = opened("toy")
    network.step()
    found: list[dict[str, Any]] = network.calls()
    return found


def test_every_call_of_a_forward_is_counted_in_its_module(calls: list[dict[str, Any]]) -> None:
    """None beside them: what autograd keeps is not copied."""
    assert places(calls, "forward") == {
        ("words", "embedding"): 1,
        ("body.0", "view"): 2,
        ("body.0", "t"): 1,
        ("body.0", "addmm"): 1,
        ("body.1", "relu"): 1,
        ("body.2", "view"): 2,
        ("body.2", "t"): 1,
        ("body.2", "addmm"): 1,
        ("", "mean.dim"): 1,
        (LOSS, "_log_softmax"): 1,
        (LOSS, "nll_loss_forward"): 1,
    }


def test_every_call_of_a_backward_is_counted_in_the_module_of_its_forward(
    calls: list[dict[str, Any]],
) -> None:
    """Two products a linear layer, the sum of its bias, and a detach for each parameter."""
    layer = {"mm": 2, "t": 4, "sum.dim_IntList": 1, "view": 3, "detach": 2}
    assert places(calls, "backward") == {
        (LOSS, "ones_like"): 1,
        (LOSS, "nll_loss_backward"): 1,
        (LOSS, "_log_softmax_backward_data"): 1,
        ("", "unsqueeze"): 1,
        ("", "expand"): 1,
        ("", "div.Scalar"): 1,
        **{("body.2", name): count for name, count in layer.items()},
        ("body.1", "threshold_backward"): 1,
        **{("body.0", name): count for name, count in layer.items()},
        ("words", "embedding_dense_backward"): 1,
        ("words", "detach"): 1,
    }


def test_tensors_are_stated_with_strides_and_what_they_hold(calls: list[dict[str, Any]]) -> None:
    """A transposed weight, an expanded gradient, indices below the rows of their table."""
    first = arguments(calls, "aten.addmm.default")[0]
    assert first == {
        "self": tensor(3),
        "mat1": tensor(30, 4),
        "mat2": tensor(4, 3, strides=[1, 4]),
    }
    (divided,) = arguments(calls, "aten.div.Scalar")
    assert divided == {"self": tensor(5, 6, 2, strides=[2, 0, 1]), "other": 6}
    (looked_up,) = arguments(calls, "aten.embedding.default")
    assert looked_up["indices"]["values"] == {"kind": "indices", "below": 10}
    assert (looked_up["indices"]["shape"], looked_up["indices"]["dtype"]) == ([5, 6], "int64")
    (loss,) = arguments(calls, "aten.nll_loss_forward.default")
    assert loss["target"]["values"] == {"kind": "indices", "below": 2}


def test_the_dispatcher_is_asked_for_as_many_as_the_profiler_sees(
    calls: list[dict[str, Any]],
) -> None:
    """Operators that no other of them calls: the profiler also sees what is called within."""
    network = opened("toy")
    network.step()
    with torch.autograd.profiler.profile() as profile:
        network.step()
    seen = Counter(event.name.replace("::", ".") for event in profile.function_events)
    captured: Counter[str] = Counter()
    for call in calls:
        captured[call["operator"].rpartition(".")[0]] += call["count"]
    for name in ("addmm", "mm", "relu", "detach", "t", "embedding", "threshold_backward"):
        assert seen[f"aten.{name}"] == captured[f"aten.{name}"], name


def test_a_file_takes_each_call(calls: list[dict[str, Any]]) -> None:
    """As the parent reads it."""
    from msgspec import convert

    for call in calls:
        record = convert(call, CallRecord)
        assert record.count == sum(place.count for place in record.places)


def test_inference_has_a_forward_alone() -> None:
    """Of the batch that is asked for, and what nobody named is no call of the network."""
    network = opened("toy", mode=INFERENCE, batch=7)
    calls = network.calls()
    assert not places(calls, "backward")
    assert sum(places(calls, "forward").values()) == 11
    assert arguments(calls, "aten.embedding.default")[0]["indices"]["shape"] == [7, 6]
    assert network.batch == 7


def test_the_gradient_of_outputs_without_a_loss_is_no_call() -> None:
    """It is made once, before the step that is captured."""
    network = opened("without_loss", mode=TRAINING)
    network.step()
    assert places(network.calls(), "backward")["", "mm"] == 1
    assert not arguments(network.calls(), "aten.ones_like.default")


@pytest.mark.filterwarnings("ignore:.torch.jit:DeprecationWarning")  # of what it imports
def test_what_was_compiled_is_captured_as_it_was_written() -> None:
    """There is no graph that could break."""
    network = opened("compiled", mode=INFERENCE)
    assert places(network.calls(), "forward") == {("0", "t"): 1, ("0", "addmm"): 1}


def test_the_profiler_gives_called_operators_what_they_call() -> None:
    """What is between them has a time of its own."""
    network = opened("toy")
    network.step()
    operators = {call["operator"].rpartition(".")[0] for call in network.calls()}
    profile = network.profile(2)
    times = profile.operators
    assert operators - set(times) == set()
    assert all(seconds >= 0 for seconds in times.values())
    assert "aten.linear" in times
    assert "aten.index_select" not in times  # which embedding calls
    assert profile.seconds is not None
    assert sum(times.values()) <= profile.seconds


@pytest.mark.parametrize("name", PARAMETERS)
def test_built_in_networks_have_as_many_parameters_as_published(name: str) -> None:
    """On no memory at all."""
    with torch.device("meta"):
        network = make_model(find_entry(name, "pytorch"))
    assert sum(parameter.numel() for parameter in network.parameters()) == PARAMETERS[name]


@pytest.mark.parametrize("name", ["lstm", "dlrm", "unet"])
def test_built_in_networks_are_captured(name: str) -> None:
    """Forward and backward; the batch is the network's own where none is asked for."""
    source = Source(kind="builtin", name=name, batch=1)
    network = find_framework("pytorch").networks().open(source)
    network.step()
    calls = network.calls()
    assert places(calls, "forward")
    assert places(calls, "backward")
    if name == "dlrm":
        found = arguments(calls, "aten._embedding_bag.default")[0]
        assert found["offsets"]["values"] == {"kind": "offsets", "below": 5}


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        ("builtin", "resnet51", "did you mean 'resnet50'"),
        ("model_zoo", "resnet18_v1", "pytorch has factory, builtin"),
        ("factory", "no_module_of_this_name:x", "ModuleNotFoundError"),
        ("factory", TOYS, "must be PKG.MODULE:FACTORY"),
        ("factory", f"{TOYS}:number", "is int; must be a function"),
        ("factory", f"{TOYS}:raises", "raised ValueError: no weights"),
        ("factory", f"{TOYS}:exits", "raised SystemExit: 3"),
        ("factory", f"{TOYS}:nothing", "returned int; must return a network"),
    ],
)
def test_what_makes_no_network_is_one_line(kind: str, name: str, words: str) -> None:
    """It names the network."""
    with pytest.raises(UsageError) as error:
        find_framework("pytorch").networks().open(Source(kind=kind, name=name))
    assert words in str(error.value)
    assert name in str(error.value)
    assert "\n" not in str(error.value)


def test_a_batch_for_a_factory_that_takes_none_is_refused() -> None:
    """It would be left out silently."""
    with pytest.raises(UsageError, match="takes no batch; leave --batch out"):
        opened("nothing", batch=2)
