"""The calls of a network in MXNet: each operator, where, how often, with which arguments."""

from __future__ import annotations

from collections import Counter
from math import prod
from typing import TYPE_CHECKING, Any

import pytest

from opperf.calls.capturing.source import INFERENCE, LOSS, TRAINING, Source
from opperf.calls.format.model import CallRecord
from opperf.core.errors import UsageError
from opperf.core.frameworks.registry import find_framework
from opperf.networks.discovery import find_entries
from opperf.networks.registry import find_entry, make_model

if TYPE_CHECKING:
    from pathlib import Path

if not find_framework("mxnet").is_installed():
    pytest.skip("mxnet is not installed", allow_module_level=True)

TOYS = "tests.calls.gluon_toys"
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
OURS = ("lstm", "unet", "dlrm")
"""Networks whose parameters nobody has published: as many as in PyTorch."""


def opened(name: str, kind: str = "factory", **fields: Any) -> Any:
    """Return a network, of the toys' unless it is of another kind."""
    named = f"{TOYS}:{name}" if kind == "factory" else name
    return find_framework("mxnet").networks().open(Source(kind=kind, name=named, **fields))


def places(calls: list[dict[str, Any]], phase: str) -> Counter[tuple[str, str]]:
    """Return how often each operator is called in each module."""
    found: Counter[tuple[str, str]] = Counter()
    for call in calls:
        for place in call["places"]:
            if place["phase"] == phase:
                found[place["module"], call["operator"]] += place["count"]
    return found


def arguments(calls: list[dict[str, Any]], operator: str) -> list[dict[Any, Any]]:
    """Return the values by name, or by position, of each distinct call of an operator."""
    return [
        {
            argument["name"] or position: argument["value"]
            for position, argument in enumerate(call["arguments"])
        }
        for call in calls
        if call["operator"] == operator
    ]


def tensor(*shape: int, **fields: Any) -> dict[str, Any]:
    """Return a tensor as a calls file states it."""
    return {"type": "tensor", "shape": [*shape], "dtype": "float32", **fields}


def counted(calls: list[dict[str, Any]]) -> Counter[str]:
    """Return how often each operator is called."""
    found: Counter[str] = Counter()
    for call in calls:
        found[call["operator"]] += call["count"]
    return found


def profiled(network: Any) -> dict[str, int]:
    """Return how often MXNet's profiler sees each operator in a step."""
    from opperf.mxnet_benchmarks import kernels

    network.step()  # the first one compiles
    found = kernels.profiled(find_framework("mxnet").mxnet, network.step)
    return {name: each["Count"] for name, each in found.items()}


@pytest.fixture(scope="module")
def calls() -> list[dict[str, Any]]:
    """Return the calls of a training step of the toy."""
    found: list[dict[str, Any]] = opened("toy").calls()
    return found


def test_every_call_of_a_forward_is_counted_in_its_module(calls: list[dict[str, Any]]) -> None:
    """Also what a block calls itself, and its loss."""
    assert places(calls, "forward") == {
        ("words", "Embedding"): 1,
        ("body.0", "FullyConnected"): 1,
        ("body.1", "Activation"): 1,
        ("body.2", "FullyConnected"): 1,
        ("", "mean"): 1,
        (LOSS, "log_softmax"): 1,
        (LOSS, "pick"): 1,
        (LOSS, "_mul_scalar"): 1,
        (LOSS, "mean"): 1,
    }


def test_every_call_of_a_backward_is_counted_in_the_module_of_its_forward(
    calls: list[dict[str, Any]],
) -> None:
    """The gradient that it begins with is no call."""
    assert places(calls, "backward") == {
        (LOSS, "_backward_mean"): 1,
        (LOSS, "_backward_mul_scalar"): 1,
        (LOSS, "_backward_pick"): 1,
        (LOSS, "_backward_log_softmax"): 1,
        ("", "_backward_mean"): 1,
        ("body.2", "_backward_FullyConnected"): 1,
        ("body.1", "_backward_Activation"): 1,
        ("body.0", "_backward_FullyConnected"): 1,
        ("words", "_backward_Embedding"): 1,
    }


def test_arrays_stand_by_name_and_attributes_as_literals(calls: list[dict[str, Any]]) -> None:
    """What a backward reads has positions, and it says what it writes."""
    assert arguments(calls, "FullyConnected")[0] == {
        "data": tensor(5, 6, 4),
        "weight": tensor(3, 4),
        "bias": tensor(3),
        "flatten": False,
        "no_bias": False,
        "num_hidden": 3,
        "is_train": True,
    }
    assert arguments(calls, "_backward_FullyConnected")[0] == {
        0: tensor(5, 6, 2),
        1: tensor(5, 6, 3),
        2: tensor(2, 3),
        "flatten": False,
        "no_bias": False,
        "num_hidden": 2,
        "out": [tensor(5, 6, 3), tensor(2, 3), tensor(2)],
    }
    (looked_up,) = arguments(calls, "Embedding")
    assert looked_up["data"] == tensor(5, 6, values={"kind": "indices", "below": 10})
    (picked,) = arguments(calls, "_backward_pick")
    assert picked[1] == tensor(5, values={"kind": "indices", "below": 2})


def test_gradients_that_are_summed_up_are_calls() -> None:
    """Of a layer that is called twice, the sum of what each call has found, with its shapes."""
    network = opened("reused")
    calls = network.calls()
    assert counted(calls)["add_n"] == 3
    assert places(calls, "backward")["layer", "add_n"] == 3
    assert places(calls, "backward")["layer", "_backward_FullyConnected"] == 2
    shapes = [each[0]["shape"] for each in arguments(calls, "add_n")]
    assert shapes == [[3, 4], [4, 4], [4]]
    assert [len(each) - 1 for each in arguments(calls, "add_n")] == [4, 2, 2]


def test_the_backward_of_an_older_operator_is_captured() -> None:
    """Of SliceChannel and SwapAxis MXNet does not say how many arrays it reads."""
    calls = opened("reused").calls()
    (sliced,) = arguments(calls, "_backward_SliceChannel")
    assert sliced == {0: tensor(3, 2), 1: tensor(3, 2), "num_outputs": 2, "out": [tensor(3, 4)]}
    assert counted(calls)["_backward_SwapAxis"] == 1


def test_many_gradients_are_added_one_by_one_as_a_hybridized_block_does() -> None:
    """An executor adds them in place, without a node of its own; the profiler's counts hold it."""
    calls = opened("many").calls()
    sums, added = arguments(calls, "_grad_add")
    assert sums == {"lhs": tensor(3), "rhs": tensor(3)}
    assert added == {"lhs": tensor(3, 4), "rhs": tensor(3, 4)}
    assert counted(calls)["_grad_add"] == 9 + 10


def test_gradients_that_nobody_asks_for_are_not_written() -> None:
    """That of the data, and of what it alone is made into."""
    calls = opened("many").calls()
    (first,) = arguments(calls, "_backward_FullyConnected")
    assert first["grad_req"] == ["null", "write", "write"]
    assert "grad_req" not in arguments(calls, "_backward_sin")[0]


def test_whether_it_is_training_stands_where_work_depends_on_it() -> None:
    """In inference it does not."""
    assert arguments(opened("reused").calls(), "BatchNorm")[0]["is_train"] is True
    inferred = opened("reused", mode=INFERENCE).calls()
    assert "is_train" not in arguments(inferred, "BatchNorm")[0]


def test_a_copy_has_no_attributes_of_what_it_differentiates() -> None:
    """That of x + 1 is a copy, which takes no scalar."""
    (copied,) = arguments(opened("reused").calls(), "_copy")
    assert copied == {"data": tensor(3, 4)}


@pytest.mark.parametrize("mode", [TRAINING, INFERENCE])
@pytest.mark.parametrize("name", ["toy", "without_loss", "reused", "many"])
def test_as_many_calls_are_captured_as_the_profiler_sees(name: str, mode: str) -> None:
    """Of each operator, in the step that is timed."""
    network = opened(name, mode=mode)
    assert profiled(network) == counted(network.calls())


@pytest.mark.parametrize("name", OURS)
def test_as_many_calls_of_built_in_networks_are_captured(name: str) -> None:
    """With states that begin as zeros, transposed convolutions, indices in tables."""
    network = opened(name, "builtin", batch=1)
    calls = network.calls()
    assert profiled(network) == counted(calls)
    assert places(calls, "backward")


def test_a_file_takes_each_call(calls: list[dict[str, Any]]) -> None:
    """As the parent reads it."""
    from msgspec import convert

    for call in calls:
        record = convert(call, CallRecord)
        assert record.count == sum(place.count for place in record.places)


def test_inference_has_a_forward_alone() -> None:
    """Without the loss, of the batch that is asked for."""
    network = opened("toy", mode=INFERENCE, batch=7)
    calls = network.calls()
    assert not places(calls, "backward")
    assert sum(places(calls, "forward").values()) == 5
    assert arguments(calls, "Embedding")[0]["data"]["shape"] == [7, 6]
    assert network.batch == 7


def test_the_profiler_has_a_time_of_each_operator(calls: list[dict[str, Any]]) -> None:
    """A step's."""
    network = opened("toy")
    network.step()
    times = network.profile(2).operators
    assert counted(calls).keys() == times.keys()
    assert all(seconds >= 0 for seconds in times.values())


def parameters(name: str) -> int:
    """Return how many parameters a built-in network has, on no memory at all."""
    find_framework("mxnet").networks()
    block = make_model(find_entry(name, "mxnet"))
    trained = [each for each in block.collect_params().values() if each.grad_req != "null"]
    return sum(prod(each.shape) for each in trained)


@pytest.mark.parametrize("name", PARAMETERS)
def test_built_in_networks_have_as_many_parameters_as_published(name: str) -> None:
    """The same as in PyTorch."""
    assert parameters(name) == PARAMETERS[name]


@pytest.mark.parametrize("name", OURS)
def test_built_in_networks_have_as_many_parameters_as_in_pytorch(name: str) -> None:
    """Those that nobody has published."""
    torch = pytest.importorskip("torch")
    with torch.device("meta"):
        network = make_model(find_entry(name, "pytorch"))
    assert parameters(name) == sum(each.numel() for each in network.parameters())


def test_both_frameworks_have_the_same_built_in_networks() -> None:
    """Under the same names."""
    assert find_entries("mxnet").keys() == find_entries("pytorch").keys()


def test_a_model_of_the_zoo_is_captured() -> None:
    """In its modules."""
    network = opened("squeezenet1.1", "model_zoo", mode=INFERENCE, batch=1)
    calls = network.calls()
    assert counted(calls)["Convolution"] == 26
    assert places(calls, "forward")["features.0", "Convolution"] == 1


def written(folder: Path, text: str | None = None) -> str:
    """Return a symbol file: a convolution, its normalization, and a loss with a label."""
    mxnet = find_framework("mxnet").mxnet
    found = mxnet.sym.Convolution(mxnet.sym.var("data"), num_filter=4, kernel=(3, 3), name="c")
    found = mxnet.sym.BatchNorm(found, name="n")
    found = mxnet.sym.FullyConnected(found, num_hidden=5, name="f")
    found = mxnet.sym.SoftmaxOutput(found, name="softmax")
    path = folder / "net-symbol.json"
    path.write_text(found.tojson() if text is None else text)
    return str(path)


def test_a_symbol_file_is_captured(tmp_path: Path) -> None:
    """Its nodes are its modules; labels are inputs that nobody has to state."""
    network = opened(written(tmp_path), "symbol", inputs={"data": (2, 3, 8, 8)})
    calls = network.calls()
    assert network.batch == 2
    assert network.parameters == 4 * 27 + 4 + 2 * 4 + 5 * 4 * 36 + 5
    assert places(calls, "forward") == {
        ("c", "Convolution"): 1,
        ("n", "BatchNorm"): 1,
        ("f", "FullyConnected"): 1,
        ("softmax", "SoftmaxOutput"): 1,
    }
    assert places(calls, "backward")["c", "_backward_Convolution"] == 1
    assert arguments(calls, "SoftmaxOutput")[0]["label"]["shape"] == [2]
    assert profiled(network) == counted(calls)


@pytest.mark.parametrize(
    ("text", "inputs", "words"),
    [
        (None, {}, "the shape of 'data' is not known; say it by --input data=1,3,224,224"),
        (None, {"date": (1, 2)}, "did you mean 'data'"),
        (None, {"data": (1, 2)}, "--input does not fit: MXNetError: Error in operator c"),
        ("{}", {}, "mxnet cannot load it: it has no nodes"),
        ("", {}, "mxnet cannot load it: JSONDecodeError"),
        ("[" * 100_000, {}, "mxnet cannot load it: RecursionError"),
        ('{"nodes":[{"op":"null","name":"a"}]}', {}, "node 0 has no name or no inputs"),
        (
            '{"nodes":[{"op":"relu","name":"a","inputs":[[7,0,0]]}]}',
            {},
            "node 0 ('a') reads from no node before it",
        ),
        (
            (
                '{"nodes":[{"op":"null","name":"a","inputs":[]},'
                '{"op":"relu","name":"b","inputs":[[0,-1,0]]}]}'
            ),
            {},
            "node 1 ('b') reads from no node before it",
        ),
        (
            '{"nodes":[{"op":"null","name":"a","inputs":[],"attrs":{"__a__":"1\\nOp:x, Name=y"}}]}',
            {},
            "node 0 ('a') has attributes that are no plain texts",
        ),
        (
            '{"nodes":[{"op":"NoSuch","name":"a","inputs":[]}],"arg_nodes":[],"heads":[[0,0,0]]}',
            {},
            "Operator NoSuch is not registered",
        ),
    ],
)
def test_a_symbol_file_that_cannot_be_captured_is_one_line(
    tmp_path: Path, text: str | None, inputs: dict[str, tuple[int, ...]], words: str
) -> None:
    """It names the file."""
    path = written(tmp_path, text)
    with pytest.raises(UsageError) as error:
        opened(path, "symbol", inputs=inputs)
    assert words in str(error.value)
    assert path in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        ("builtin", "resnet51", "did you mean 'resnet50'"),
        ("torchvision", "resnet18", "mxnet has factory, builtin, model_zoo, symbol"),
        ("model_zoo", "resnet18", "did you mean 'resnet18_v2'"),
        ("symbol", "no such file.json", "cannot be read: No such file or directory"),
        ("factory", f"{TOYS}:raises", "raised ValueError: no weights"),
        ("factory", f"{TOYS}:nothing", "returned int; must return a Gluon block"),
        ("factory", f"{TOYS}:plain", "returned Plain, which cannot be hybridized"),
        ("factory", f"{TOYS}:foreign", "inputs and targets must be arrays of mxnet.nd"),
    ],
)
def test_what_makes_no_network_is_one_line(kind: str, name: str, words: str) -> None:
    """It names the network."""
    with pytest.raises(UsageError) as error:
        opened(name.removeprefix(f"{TOYS}:"), kind)
    assert words in str(error.value)
    assert name in str(error.value)
    assert "\n" not in str(error.value)
