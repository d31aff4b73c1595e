"""A PyTorch network's calls on MXNet, as the declared operators that they are."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from opperf.__main__ import main
from opperf.calls.declared import finding
from opperf.calls.declared.pattern import parse_pattern
from opperf.calls.measuring.plan import AS_CAPTURED, plan_calls
from opperf.calls.ranking.across import across
from opperf.calls.reading.reading import read_calls
from opperf.core.frameworks.registry import find_framework
from opperf.planning.selection import Selection
from tests.calls.test_measuring import MM, call, measure, tensor

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from opperf.calls.format.model import CallsRecord

pytest.importorskip("torch")

YES, NO = True, False
LOG = """\
Operator: aten.mm.default
cnt: 6, ((T([8, 16], f16), T([16, 4], f16, stride=(1, 16))), {})
Operator: aten.relu_.default
cnt: 2, ((T([8, 4], f16),), {})
Operator: aten.convolution.default
cnt: 3, ((T([2, 3, 8, 8], f16), T([4, 3, 3, 3], f16), None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1), {})
cnt: 4, ((T([2, 3, 8, 8], f16), T([4, 3, 3, 3], f16), None, [1, 2], [1, 1], [1, 1], False, [0, 0], 1), {})
Operator: aten.convolution_backward.default
cnt: 3, ((T([2, 4, 8, 8], f16), T([2, 3, 8, 8], f16), T([4, 3, 3, 3], f16), [0], [1, 1], [1, 1], [1, 1], False, [0, 0], 1, [True, True, False]), {})
Operator: aten.add.Tensor
cnt: 2, ((T([8, 4], f16, stride=(1, 8)), T([8, 4], f16)), {})
Operator: aten.t.default
cnt: 1, ((T([8, 4], f16),), {})
Operator: aten.nobody_has.default
cnt: 1, ((T([2], f16),), {})
"""  # noqa: E501 - a log's lines are as long
MXNET = find_framework("mxnet")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return a log of a network's calls."""
    path = tmp_path / "toy.txt"
    path.write_text(LOG)
    return path


@pytest.fixture
def record(log: Path) -> CallsRecord:
    """Return the calls of the log."""
    return read_calls(log, lambda _line: None)


def selection(*frameworks: str, **fields: Any) -> Selection:
    """Return what is asked for."""
    return Selection(frameworks=frameworks, **{"dtype": "float32", **fields})


def opperf(tmp_path: Path, *words: str) -> int:
    """Run a command on runs of the test's own."""
    return main([*words, "--runs-dir", str(tmp_path / "runs")])


def test_declared_calls_are_planned_and_nothing_else(record: CallsRecord) -> None:
    """A declaration's directions on the same inputs are one task; views are none."""
    if not MXNET.is_installed():
        pytest.skip("mxnet is not installed")
    tasks = plan_calls(record, selection("mxnet"))
    found = [(task.operator, [direction for _, direction in task.rows]) for task in tasks]
    assert found == [
        ("DotRightTransposed", ["forward"]),
        ("IReLU", ["forward"]),
        ("UnbiasedConv2D", ["forward", "backward"]),
        ("Add", ["forward"]),
        ("OneElementCopy", ["forward"]),
    ]
    assert [task.companion for task in tasks] == [NO, NO, NO, NO, YES]
    assert tasks[2].inputs["run_backward"] is True
    both = plan_calls(record, selection("pytorch", "mxnet"))
    names = [(task.framework, task.operator) for task in both]
    assert names[:4] == [
        ("pytorch", "aten.mm.default"),
        ("mxnet", "DotRightTransposed"),
        ("pytorch", "aten.relu_.default"),
        ("mxnet", "IReLU"),
    ]
    assert plan_calls(record, selection("mxnet", text="name=aten.t.default")) == []


def test_both_frameworks_are_shown_call_by_call(
    tmp_path: Path,
    log: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With a ratio; what is none there has its share, and what lay otherwise is said."""
    monkeypatch.setenv("COLUMNS", "160")
    if not MXNET.is_installed():
        pytest.skip("mxnet is not installed")
    flags = ["--calls", str(log), "--dtype", "float32", "--runs", "20", "--retry", "no", "--quiet"]
    flags += ["--framework", "pytorch,mxnet", "--format", "json"]
    assert opperf(tmp_path, "run", *flags) == 0
    shown = capsys.readouterr()
    rows = {(row["operator"], row["count"]): row for row in json.loads(shown.out)}
    both = {name for name, row in rows.items() if row["ratio"]}
    assert {name for name, _ in both} == {
        "aten.mm.default", "aten.relu_.default", "aten.convolution.default",
        "aten.convolution_backward.default", "aten.add.Tensor",
    }  # fmt: skip
    assert rows["aten.convolution_backward.default", 3]["declared"] == "UnbiasedConv2D backward"
    assert rows["aten.add.Tensor", 2]["dense"] == "self"
    assert rows["aten.mm.default", 6]["dense"] == ""
    odd = rows["aten.convolution.default", 4]
    assert odd["own_seconds"]
    assert "stride[1] is 2" in odd["why"]
    for row in rows.values():
        if row["ratio"]:
            assert row["ratio"] == row["other_seconds"] / row["own_seconds"]
    assert "no calls there: 1 views" in shown.err
    assert "not declared there: 5 of 22 calls (22.7% of them, " in shown.err

    (directory,) = (tmp_path / "runs").iterdir()
    lines = (directory / "results.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    by_name = {one["operator"]["name"]: one for one in records}
    said = [warning["message"] for warning in by_name["Add"]["summary"]["warnings"]]
    assert "captured with strides (self), measured contiguous" in said
    assert not by_name["DotRightTransposed"]["operator"].get("declaration")
    assert by_name["aten.mm.default"]["operator"]["declaration"] == "DotRightTransposed"
    assert by_name["aten.mm.default"]["operator"]["category"] == "gemm"

    (directory / "results.jsonl").write_text("".join(f"{line}\n" for line in lines[2:]))
    assert opperf(tmp_path, "resume", "last", "--quiet", "--format", "json") == 0
    again = (directory / "results.jsonl").read_text().splitlines()
    assert len(again) == len(lines) + 1, "the sum of the network is made anew"
    capsys.readouterr()
    assert opperf(tmp_path, "show", "last", "--by", "category") == 0
    printed = capsys.readouterr().out
    assert re.search(r"(?m)^convolution +10 +3 ", printed)
    assert re.search(r"(?m)^aten.add.Tensor +Add +\(8,4\)\[1,8\]", printed)
    assert re.search(r"on both, 16 calls: pytorch .*, mxnet .*, ratio \d", printed)


def test_the_other_framework_may_be_asked_alone(
    tmp_path: Path, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Checked there against the declarations' references."""
    if not MXNET.is_installed():
        pytest.skip("mxnet is not installed")
    flags = ["--calls", str(log), "--dtype", "float32", "--check-only", "--quiet"]
    assert opperf(tmp_path, "run", *flags, "--framework", "mxnet") == 0
    printed = capsys.readouterr().out
    assert "no time there of 3 UnbiasedConv2D backward, skipped: checked, not timed" in printed
    assert "not declared there: 5 of 22 calls (22.7% of them)" in printed
    assert "     4 aten.convolution.default: UnbiasedConv2D: stride[1] is 2" in printed


def test_a_run_of_one_framework_has_nothing_beside_it(record: CallsRecord) -> None:
    """Nor does one without results."""
    assert across(record, [], "float32") == []
    assert across(record, [measure(MM)], None) == []


@pytest.mark.parametrize("operator", ["aten.mm.default", "aten.sum.dim_IntList"])
def test_a_declared_call_is_compared_with_numpy_as_well(operator: str) -> None:
    """Which its record says, and what was left out."""
    given = {
        "aten.mm.default": [tensor(5, 7), tensor(7, 3, strides=(1, 7))],
        "aten.sum.dim_IntList": [tensor(5, 7, strides=(1, 5)), (0,), YES],
    }
    result = measure(call(operator, *given[operator]))
    assert result.correctness is not None
    assert result.status == "skipped"
    named = {"aten.mm.default": "DotRightTransposed", "aten.sum.dim_IntList": "Sum"}[operator]
    assert result.correctness.reference == f"pytorch float64, numpy float64 ({named})"
    assert result.operator.declaration == named


def test_what_numpy_is_not_asked_is_said() -> None:
    """A backward, and what takes too long; what is not declared has no second reference."""
    backward = measure(call("aten.threshold_backward.default", tensor(5), tensor(5), 0))
    assert "numpy float64 (ReLU) left out: " in str(backward.correctness.reference)
    large = measure(call("aten.relu.default", tensor(2**23 + 1)))
    assert "numpy float64 (ReLU) left out: more than 16,777,216 elements" in str(
        large.correctness.reference
    )
    odd = measure(call("aten.gelu.default", tensor(5), approximate="tanh"))
    assert odd.correctness.reference == "pytorch float64"
    assert odd.operator.category == "activation"


def test_a_wrong_declaration_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that another declaration was taken for does not agree with its reference."""
    wrong = parse_pattern("Multiply(lhs, rhs, 1)", "forward")

    def patterns(_row: Any) -> Sequence[Any]:
        return [wrong]

    monkeypatch.setattr(finding, "patterns_of", patterns)
    result = measure(call("aten.add.Tensor", tensor(5), tensor(5)))
    assert result.status == "wrong_result"
    assert "beside numpy float64 (Multiply): output 0" in str(result.reason)


def test_the_captured_element_type_is_kept_on_the_other_framework(record: CallsRecord) -> None:
    """Where none is asked for."""
    tasks = plan_calls(record, selection("mxnet", dtype=AS_CAPTURED))
    assert {task.inputs.get("dtype") for task in tasks if not task.companion} == {"float16"}


def array(*shape: int) -> dict[str, Any]:
    """Return a tensor as a calls file has it."""
    return {"type": "tensor", "shape": [*shape], "dtype": "float32"}


GLUON = {
    "schema": "opperf.calls/1",
    "network": "gluon",
    "framework": "mxnet",
    "calls": [
        {"operator": "Convolution", "count": 3, "arguments": [
            {"name": "data", "value": array(2, 3, 8, 8)},
            {"name": "weight", "value": array(4, 3, 3, 3)},
            {"name": "kernel", "value": [3, 3]}, {"name": "stride", "value": [1, 1]},
            {"name": "pad", "value": [1, 1]}, {"name": "dilate", "value": [1, 1]},
            {"name": "num_filter", "value": 4}, {"name": "no_bias", "value": YES},
            {"name": "layout", "value": "NCHW"}, {"name": "is_train", "value": YES},
        ]},
        {"operator": "_backward_Activation", "count": 2, "arguments": [
            {"value": array(2, 5)},
            {"value": array(2, 5)},
            {"name": "act_type", "value": "relu"},
            {"name": "out", "value": [array(2, 5)]},
        ]},
        {"operator": "Activation", "count": 1, "arguments": [
            {"name": "data", "value": array(2, 5)},
            {"name": "act_type", "value": "softrelu"}, {"name": "slope", "value": 2.0},
        ]},
    ],
}  # fmt: skip


def test_a_network_of_mxnet_is_measured_on_pytorch(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Forward and backward."""
    path = tmp_path / "gluon.calls.json"
    path.write_text(json.dumps(GLUON))
    flags = ["--calls", str(path), "--runs", "6", "--retry", "no", "--quiet", "--format", "json"]
    assert opperf(tmp_path, "run", *flags, "--framework", "pytorch") == 0
    shown = capsys.readouterr()
    rows = {row["operator"]: row for row in json.loads(shown.out)}
    assert rows["Convolution"]["declared"] == "UnbiasedConv2D"
    assert rows["_backward_Activation"]["declared"] == "ReLU backward"
    assert rows["Convolution"]["other_seconds"]
    assert rows["_backward_Activation"]["other_seconds"]
    assert "slope" in rows["Activation"]["why"]
    assert "gluon on pytorch: 5 of 6 calls (2 of 3 distinct)" in shown.err
