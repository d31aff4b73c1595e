"""`opperf run --calls`: measured in children, resumed, shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from opperf.__main__ import main

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("torch")

LOG = """\
Operator: aten.mm.default
cnt: 6, ((T([8, 16], f16), T([16, 4], f16, stride=(1, 16))), {})
Operator: aten.relu_.default
cnt: 2, ((T([8, 4], f16),), {})
Operator: aten.nobody_has.default
cnt: 1, ((T([2], f16),), {})
"""


def opperf(tmp_path: Path, *words: str) -> int:
    """Run a command on runs of the test's own."""
    return main([*words, "--runs-dir", str(tmp_path / "runs")])


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return a log of a network's calls."""
    path = tmp_path / "toy.txt"
    path.write_text(LOG)
    return path


def test_each_call_is_measured_kept_and_shown(
    tmp_path: Path, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is missing is named; a lost end of the journal is measured again by resume."""
    flags = ["--calls", str(log), "--dtype", "float32", "--runs", "6", "--retry", "no", "--quiet"]
    assert opperf(tmp_path, "run", *flags, "--format", "json") == 0
    shown = capsys.readouterr()
    rows = json.loads(shown.out)
    assert {row["operator"]: row["count"] for row in rows} == {
        "aten.mm.default": 6,
        "aten.relu_.default": 2,
        "aten.nobody_has.default": 1,
    }
    assert rows[-1]["status"] == "unsupported"
    assert sum(row["share"] for row in rows[:2]) == pytest.approx(1)
    assert "no time of 1 aten.nobody_has.default, unsupported: PyTorch" in shown.err

    (directory,) = (tmp_path / "runs").iterdir()
    journal = directory / "results.jsonl"
    lines = journal.read_text().splitlines()
    records = [json.loads(line) for line in lines]
    assert [record["subject"]["kind"] for record in records] == ["call"] * 4 + ["network"]
    assert len(records) == 3 + 1 + 1  # a copy of one element, for the cost of a launch; the sum
    journal.write_text("".join(f"{line}\n" for line in lines[1:]))
    assert opperf(tmp_path, "resume", "last", "--quiet", "--format", "json") == 0
    after = [json.loads(line) for line in journal.read_text().splitlines()]
    assert len(after) == len(lines) - 1 + 2
    assert after[-1]["supersedes"] == records[-1]["result_id"], "the sum is made anew"
    assert opperf(tmp_path, "resume", "last", "--quiet", "--format", "json") == 0
    assert len(journal.read_text().splitlines()) == len(after), "unless nothing was measured"

    capsys.readouterr()
    assert (
        opperf(tmp_path, "show", "last", "--top", "1", "--by", "operator", "--format", "json") == 0
    )
    assert [row["distinct"] for row in json.loads(capsys.readouterr().out)] == [1]
    assert opperf(tmp_path, "show", "last", "-k", "name=aten.relu_.default") == 0
    assert "toy: 2 of 9 calls (1 of 3 distinct)" in capsys.readouterr().out

    assert opperf(tmp_path, "compare", "last", "last", "--format", "json") == 0
    kinds = {row["operator"]: row["kind"] for row in json.loads(capsys.readouterr().out)}
    assert kinds == {"aten.mm.default": "call", "aten.relu_.default": "call", "toy": "network"}
    assert opperf(tmp_path, "compare", "last", "last", "-k", "name=aten.mm.default") == 0
    assert "toy" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--framework", "mxnt"], "did you mean 'mxnet'?"),
        (["--input", "lhs=(2,2)"], "--input does not go with --calls"),
        (["--sweep"], "--sweep does not go with --calls"),
        (["--top", "0"], "--top 0: must be at least 1"),
        (["-k", "name=aten.rely_.default"], "did you mean 'aten.relu_.default'?"),
    ],
)
def test_flags_that_do_not_go_with_calls_are_refused(
    tmp_path: Path, log: Path, capsys: pytest.CaptureFixture[str], flags: list[str], said: str
) -> None:
    """In one line."""
    assert opperf(tmp_path, "run", "--calls", str(log), *flags) == 2
    assert said in capsys.readouterr().err


def test_the_flags_of_a_ranking_need_calls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without them there is nothing to rank."""
    assert opperf(tmp_path, "run", "-k", "name=Add", "--top", "3") == 2
    assert "give --calls FILE" in capsys.readouterr().err
