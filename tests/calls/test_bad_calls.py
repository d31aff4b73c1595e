"""Wrong calls of a file are named in a line or a record each, and all others are measured."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.__main__ import main
from opperf.cli.common.exit_codes import FAILED
from tests.calls import documents
from tests.calls.documents import MM
from tests.conftest import told

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

pytest.importorskip("torch")

LOG = """\
Operator: aten.relu.default
cnt: 3, ((T([8, 4], f32),), {})
cnt: 1, ((T([-8, 4], f32),), {})
cnt: 1, ((T([8, 4], f32, stride=(-4, 1)),), {})
cnt: 1, (([[[1]]],), {})
Operator: aten.relu.default; import os
cnt: 5, ((T([8, 4], f32),), {})
Operator: aten.nobody_has.default
cnt: 1, ((T([2], f32),), {})
Operator: aten.neg.default
cnt: 1, ((T([2], f32),), {'colour': 3})
cnt: 1, ((T([1000000, 1000000], f32),), {})
cnt: 2, ((T([4, 4], f32, stride=(1, 1)),), {})
Operator: aten.add_.Tensor
cnt: 1, ((T([4, 4], f32, stride=(0, 1)), T([4, 4], f32)), {})
Operator: aten.sum.dim_IntList
cnt: 1, ((T([4], f32), [nan]), {})
Operator: aten.fill_.Scalar
cnt: 1, ((T([4], f32), nan), {})
"""
CHECKED = "checked, not timed"
STATUSES = {
    ("aten.relu.default", 3): CHECKED,
    ("aten.nobody_has.default", 1): "unsupported",
    ("aten.neg.default", 1): "failed",
    ("aten.neg.default", 2): CHECKED,
    ("aten.add_.Tensor", 1): "failed",
    ("aten.sum.dim_IntList", 1): "failed",
    ("aten.fill_.Scalar", 1): CHECKED,
}


def ending(row: Mapping[str, str]) -> str:
    """Return a row's status, or that it was checked."""
    return CHECKED if row["reason"] == CHECKED else row["status"]


def measured(tmp_path: Path, file: Path, *flags: str) -> int:
    """Check the calls of a file."""
    words = ["run", "--calls", str(file), "--check-only", "--format", "json"]
    return main([*words, *flags, "--runs-dir", str(tmp_path / "runs")])


def test_each_wrong_line_of_a_log_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is no call is a line on stderr, what cannot be called is a record with its reason."""
    file = tmp_path / "toy.txt"
    file.write_text(LOG)
    assert measured(tmp_path, file, "--quiet") == FAILED
    shown = capsys.readouterr()
    rows = json.loads(shown.out)
    large = [row for row in rows if "a smaller --batch needs less" in (row["reason"] or "")]
    assert [row["operator"] for row in large] == ["aten.neg.default"]
    assert "needs about" in large[0]["reason"]
    assert {
        (row["operator"], row["count"]): ending(row) for row in rows if row not in large
    } == STATUSES
    reasons = {row["operator"]: row["reason"] for row in rows if row["status"] == "failed"}
    assert "argument 'colour' is none of: self" in reasons["aten.neg.default"]
    assert "memory location" in reasons["aten.add_.Tensor"]
    said = [line for line in told(shown.err) if ": line " in line]
    assert [line.partition(f"{file}: ")[2].partition(": ")[0] for line in said] == [
        "line 3 (aten.relu.default)", "line 4 (aten.relu.default)", "line 5 (aten.relu.default)",
        "line 6", "line 7",
    ]  # fmt: skip
    assert "left out: 5 calls" in shown.err
    assert main(["show", "last", "--runs-dir", str(tmp_path / "runs")]) == 0
    assert "left out of the file: 5 calls" in capsys.readouterr().out
    assert main(["resume", "last", "--quiet", "--runs-dir", str(tmp_path / "runs")]) == FAILED


def wrong_calls() -> list[dict[str, Any]]:
    """Return calls of which nobody can be made."""
    deep: Any = 1
    for _ in range(200):
        deep = [deep]
    return [
        {**MM, "count": 0},
        {**MM, "operator": "aten.mm default"},
        {**MM, "colour": 1},
        {**MM, "arguments": [{"value": {"type": "tensor", "shape": [2**40, 2**40], "dtype": "x"}}]},
        {**MM, "arguments": [{"value": deep}]},
    ]


def test_each_wrong_call_of_a_calls_file_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By `run` and by `list`, which go on with the others and say so by their exit code."""
    file = tmp_path / "toy.calls.json"
    file.write_bytes(documents.data(*wrong_calls(), MM))
    assert measured(tmp_path, file, "--quiet") == FAILED
    shown = capsys.readouterr()
    assert [*map(ending, json.loads(shown.out))] == [CHECKED]
    assert shown.err.count(f"{file}: call ") == len(wrong_calls())
    assert main(["list", "--calls", str(file)]) == FAILED
    shown = capsys.readouterr()
    assert "12 calls, 1 distinct, of 1 operators" in shown.out
    assert shown.err.count(f"{file}: call ") == len(wrong_calls())
    assert measured(tmp_path, file, "--quiet", "--exit-zero") == 0


def test_a_file_without_a_right_call_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line that names the first."""
    file = tmp_path / "toy.calls.json"
    file.write_bytes(documents.data(*wrong_calls()))
    assert measured(tmp_path, file) == 2
    (said,) = told(capsys.readouterr().err)
    assert "call 1 (aten.mm.default): field 'count'" in said
    assert said.endswith("none of its 5 calls can be read")
