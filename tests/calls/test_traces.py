"""A trace of PyTorch's profiler is read as what the dispatcher was handed."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from opperf.calls.format.model import CallRecord, CallsRecord, ConstantRecord, TensorRecord
from opperf.calls.reading.reading import overloads, read_calls
from opperf.calls.reading.traces import parse_trace
from opperf.core.errors import NotInstalledError, UsageError
from opperf.core.frameworks.registry import find_framework
from tests.calls.traces import DATA, KNOWN, NONE, TURNED, event, optional

RECORDING = Path(__file__).with_name("recording.py")
OF_AUTOGRAD = {"aten.detach.default"}
"""What a dispatch mode itself adds, and the profiler does not see."""


def read(*events: dict[str, Any], said: list[str] | None = None) -> CallsRecord:
    """Return the calls of a trace with these events."""
    data = json.dumps({"schemaVersion": 1, "traceEvents": events}).encode()
    told: list[str] = [] if said is None else said
    return parse_trace(data, "toy", lambda names: {n: KNOWN[n] for n in names if n in KNOWN},
                       told.append)  # fmt: skip


def refusal(*events: dict[str, Any]) -> str:
    """Return how a trace is refused."""
    with pytest.raises(UsageError) as raised:
        read(*events)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def one(*inputs: Any, name: str = "aten::_to_copy") -> CallRecord:
    """Return the call of a trace with one operator."""
    (call,) = read(event(name, 0, 1, *inputs)).calls
    return call


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, command_line: Any) -> Path:
    """Return the folder of a real trace, and of what was dispatched."""
    if not find_framework("pytorch").is_installed():
        pytest.skip("pytorch is not installed")
    folder = tmp_path_factory.mktemp("recorded")
    said = command_line(folder).execute([sys.executable, str(RECORDING), str(folder)])
    assert said.returncode == 0, said.stderr
    return folder


def test_a_real_trace_has_what_was_dispatched(recorded: Path) -> None:
    """Each overload as often, and not what these run in turn."""
    said: list[str] = []
    record = read_calls(recorded / "trace.json", said.append)
    dispatched = Counter(json.loads((recorded / "dispatched.json").read_text()))
    counts: Counter[str] = Counter()
    for call in record.calls:
        counts[call.operator] += call.count
    assert {*(dispatched - counts), *(counts - dispatched)} <= OF_AUTOGRAD
    by_name = {call.operator: call for call in record.calls}
    convolution = {a.name: a.value for a in by_name["aten.convolution.default"].arguments}
    assert convolution["weight"] == TensorRecord(shape=(4, 3, 3, 3), dtype="float32")
    assert (convolution["padding"], convolution["transposed"]) == ((1, 1), False)
    product = {a.name: a.value for a in by_name["aten.addmm.default"].arguments}
    assert product["mat2"] == TensorRecord(shape=(80, 6), dtype="float32", strides=(1, 80))
    assert by_name["aten.convolution_backward.default"].places[0].phase == "backward"
    assert by_name["aten.sum.default"].arguments[1].value == ConstantRecord(
        kind="dtype", name="float32"
    )
    assert (record.mode, record.device, record.framework) == ("training", "cpu", "pytorch")
    assert said == [
        f"1 of aten.{name}.default taken with approximate='none', which the trace does not say"
        for name in ("gelu", "gelu_backward")
    ]


def test_an_operator_that_pytorch_lacks_has_no_overloads() -> None:
    """Those that are there are named with their parameters; functions on lists are none."""
    if not find_framework("pytorch").is_installed():
        pytest.skip("pytorch is not installed")
    found = overloads(["add", "linear", "no_such_operator"])
    assert {*found} == {"add", "linear"}
    names = {overload.name: overload for overload in found["add"]}
    assert {"aten.add.Tensor", "aten.add.Scalar", "aten.add.out"} <= {*names}
    assert "aten.add.str" not in names
    assert names["aten.add.Tensor"].parameters[2] == optional("alpha", "number", 1)
    assert found["linear"][0].composite


def test_without_pytorch_a_line_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a trace does not say which overload an operator is."""
    monkeypatch.setattr(type(find_framework("pytorch")), "is_installed", lambda _: False)
    with pytest.raises(NotInstalledError, match="framework 'pytorch' is not installed here"):
        overloads(["mm"])


def test_the_outermost_operator_that_is_not_composite_counts() -> None:
    """On each thread by itself, and beneath autograd's own functions."""
    record = read(
        event("aten::linear", 0, 10, DATA, TURNED, NONE),
        event("aten::mm", 1, 8, DATA, TURNED),
        event("aten::mm", 2, 3, DATA, TURNED),
        event("aten::mm", 11, 1, DATA, TURNED),
        event("aten::mm", 2.5, 1, DATA, TURNED, tid=2),
        event("autograd::engine::evaluate_function: MmBackward0", 20, 5),
        event("MmBackward0", 21, 3),
        event("aten::mm", 22, 1, DATA, TURNED),
        {"ph": "M", "name": "process_name", "args": {"name": "python"}},
        event("aten::mm", 30, 1, DATA, TURNED, cat="kernel"),
    )
    (call,) = record.calls
    assert call.operator == "aten.mm.default"
    assert call.count == 4
    assert {place.phase: place.count for place in call.places} == {"forward": 3, "backward": 1}
    assert (record.mode, record.device) == ("training", "cuda")


def test_the_last_step_counts_where_steps_are_marked() -> None:
    """A calls file states one step."""
    steps = [
        event(f"ProfilerStep#{number}", 10 * number, 9, cat="user_annotation") for number in (3, 4)
    ]
    products = [event("aten::mm", begin, 1, DATA, TURNED) for begin in (1, 31, 41, 45, 60)]
    assert [call.count for call in read(*steps, *products).calls] == [2]


def test_overloads_are_told_apart_by_their_inputs() -> None:
    """And arguments that are the default are left out, as the dispatcher does."""
    record = read(
        event("aten::add", 0, 1, DATA, DATA, ("Scalar", "1")),
        event("aten::add", 1, 1, DATA, ("Scalar", "2.5"), ("Scalar", "1")),
        event("aten::add", 2, 1, DATA, ("Scalar", "-inf"), ("Scalar", "1.")),
    )
    assert [(call.operator, [a.name for a in call.arguments]) for call in record.calls] == [
        ("aten.add.Tensor", ["self", "other"]),
        ("aten.add.Scalar", ["self", "other"]),
        ("aten.add.Scalar", ["self", "other", "alpha"]),
    ]
    assert record.calls[1].arguments[1].value == 2.5
    assert record.calls[2].arguments[1].value == ConstantRecord(kind="float", name="-inf")


def test_numbers_of_pytorch_become_names() -> None:
    """Of element types and memory formats."""
    scalars = ("Scalar", "5"), NONE, NONE, ("Scalar", "2")
    arguments = {a.name: a.value for a in one(DATA, *scalars).arguments}
    assert arguments == {
        "self": TensorRecord(shape=(2, 3), dtype="float32"),
        "dtype": ConstantRecord(kind="dtype", name="float16"),
        "memory_format": ConstantRecord(kind="memory_format", name="channels_last"),
    }


def test_tensors_in_lists_have_the_usual_element_type() -> None:
    """For a trace tells none of them."""
    listed = ("TensorList", [[2, 3], [2, 5]], [[3, 1], [1, 2]])
    half = event("aten::mm", 5, 1, *[("c10::Half", *each[1:]) for each in (DATA, TURNED)])
    record = read(event("aten::cat", 0, 1, listed, ("Scalar", "1")), half)
    tensors, dimension = record.calls[0].arguments
    assert tensors.value == (
        TensorRecord(shape=(2, 3), dtype="float16"),
        TensorRecord(shape=(2, 5), dtype="float16", strides=(1, 2)),
    )
    assert dimension.value == 1


def test_what_is_contiguous_has_no_strides() -> None:
    """Where a dimension has one element, its stride does not matter."""
    for shape, strides, expected in [
        ([2, 1, 3], [3, 77, 1], None), ([], [], None), ([0, 3], [9, 9], None),
        ([2, 3], [1, 2], (1, 2)), ([2, 3], [0, 1], (0, 1)),
    ]:  # fmt: skip
        call = one(("double", shape, strides), ("Scalar", "6"), NONE, NONE, NONE)
        assert call.arguments[0].value.strides == expected


@pytest.mark.parametrize(
    ("added", "said"),
    [
        (("aten::index", DATA, NONE), "aten.index.Tensor left out: the trace does not say"),
        (("aten::cat", ("TensorList", [], []), ("Scalar", "0")),
         "aten.cat.default left out: the trace does not say 'tensors': it has none or more than"),
        (("aten::mm", DATA), "aten::mm left out: no overload of this PyTorch takes its inputs"),
        (("torchvision::nms", DATA), "torchvision::nms left out: it is no operator of ATen"),
        (("aten::gone", DATA), "aten::gone left out: no overload of this PyTorch takes its"),
        (("aten::mm", DATA, ("torch::Odd", [1], [1])),
         "aten.mm.default left out: unknown element type 'torch::Odd'"),
        (("aten::_to_copy", DATA, ("Scalar", "99"), NONE, NONE, NONE),
         "aten._to_copy.default left out: unknown ScalarType 99"),
        (("aten::_to_copy", DATA, NONE, NONE, NONE, NONE),
         "aten._to_copy.default taken with mode='none', which the trace does not say"),
        (("aten::add", DATA, ("Scalar", "eval('1')"), ("Scalar", "1")),
         "aten::add left out: unknown 'eval' at character 1 is called"),
        (("aten::mm", DATA, ("float", [-1], [1])),
         "aten.mm.default left out: field 'shape[0]' must be int >= 0, not -1"),
    ],
)  # fmt: skip
def test_what_a_trace_does_not_say_is_said(added: Any, said: str) -> None:
    """And every other call is read."""
    name, *inputs = added
    told: list[str] = []
    record = read(event("aten::mm", 0, 1, DATA, TURNED), event(name, 1, 1, *inputs), said=told)
    assert record.calls[0].operator == "aten.mm.default"
    assert len(told) == 1
    assert told[0].startswith(f"1 of {said}")


def test_only_some_reasons_are_said() -> None:
    """The most frequent, and how many there are besides."""
    gone = [event(f"aten::gone{number}", number, 1, DATA) for number in range(30)]
    told: list[str] = []
    read(event("aten::mm", 99, 1, DATA, TURNED), *gone, said=told)
    assert len(told) == 11
    assert told[-1] == "20 further reasons"


def test_what_is_no_trace_with_shapes_is_refused() -> None:
    """In a line with the remedy."""
    bare = {**event("aten::mm", 0, 1), "args": {"External id": 1}}
    assert refusal(bare) == ("it was recorded without shapes; record it with record_shapes=True")
    assert refusal(event("MmBackward0", 0, 1)) == "it has no operators of ATen on the CPU's side"
    assert refusal() == "it has no operators of ATen on the CPU's side"
    assert refusal(event("aten::gone", 0, 1, DATA)) == (
        "none of its operators could be taken for a call; 1 of aten::gone left out: no overload of "
        "this PyTorch takes its inputs"
    )
    for moment in ("now", None, -1, True, 10**400):
        late = event("aten::mm", 0, 1, DATA, TURNED, ts=moment)
        assert refusal(late).startswith("event 1 (aten::mm): 'ts' must be microseconds, not ")


def test_a_trace_is_found_by_what_it_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part of it that is no JSON is one line."""
    path = tmp_path / "toy.pt.trace.json"
    monkeypatch.setattr("opperf.calls.reading.reading.overloads", lambda _: KNOWN)
    data = json.dumps({"traceEvents": [event("aten::mm", 0, 1, DATA, TURNED)]})
    path.write_text(data)
    assert read_calls(path).network == "toy"
    path.write_text(data.replace("aten::mm", "aten::\\ud800"))
    with pytest.raises(UsageError, match="not JSON"):
        read_calls(path)
    path.write_text('{"traceEvents": {}}')
    with pytest.raises(UsageError, match="Expected `array`, got `object`"):
        read_calls(path)
