"""`opperf run --calls` on MXNet's operators: measured in children, resumed, shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from msgspec import json as msgspec_json

from opperf.__main__ import main
from opperf.calls.format.model import CallsRecord
from tests.calls.mxnet_calls import BACKWARD, MXNET, RECORDED, ROWS, call

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.calls.format.model import CallRecord

if not MXNET.is_installed():
    pytest.skip("MXNet is not installed", allow_module_level=True)

RELU = call("relu", ROWS, count=2)
ABSENT = call("NobodyHas", ROWS)


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    """Return a calls file of MXNet's."""
    made: tuple[CallRecord, ...] = (BACKWARD[1], RELU, RECORDED[0], ABSENT)
    record = CallsRecord(network="toy", framework="mxnet", calls=made)
    path = tmp_path / "toy.calls.json"
    path.write_bytes(msgspec_json.encode(record))
    return path


def opperf(tmp_path: Path, *words: str) -> int:
    """Run a command on runs of the test's own."""
    return main([*words, "--runs-dir", str(tmp_path / "runs")])


def test_mxnets_calls_are_measured_kept_and_shown(
    tmp_path: Path, calls: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is missing is named; a lost end of the journal is measured again by resume."""
    flags = ["--calls", str(calls), "--runs", "6", "--retry", "no", "--quiet"]
    assert opperf(tmp_path, "run", *flags, "--format", "json") == 0
    shown = capsys.readouterr()
    rows = json.loads(shown.out)
    statuses = {row["operator"]: row["status"] for row in rows}
    assert statuses.pop("NobodyHas") == "unsupported"
    assert statuses.keys() == {"_backward_FullyConnected", "relu", "_backward_Embedding"}
    assert {*statuses.values()} <= {"ok", "noisy", "no_time"}
    assert "no time of 1 NobodyHas, unsupported: MXNet" in shown.err

    (directory,) = (tmp_path / "runs").iterdir()
    journal = directory / "results.jsonl"
    lines = journal.read_text().splitlines()
    records = [json.loads(line) for line in lines]
    measured = [record for record in records if record["subject"]["kind"] == "call"]
    launches = [record for record in records if record["operator"]["name"] == "_copy"]
    assert len(launches) == 1  # a copy of one element, for the cost of a launch
    assert len(measured) == 4 + 1
    journal.write_text("".join(f"{line}\n" for line in lines[1:]))
    assert opperf(tmp_path, "resume", "last", "--quiet", "--format", "json") == 0
    after = [json.loads(line) for line in journal.read_text().splitlines()]
    assert [each["subject"]["kind"] for each in after].count("call") == len(measured)

    capsys.readouterr()
    assert opperf(tmp_path, "show", "last", "-k", "name=relu") == 0
    assert "toy: " in capsys.readouterr().out


def test_calls_are_checked_alone_and_chosen_by_name(
    tmp_path: Path, calls: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without times there is nothing of a launch either."""
    flags = ["--calls", str(calls), "--check-only", "-k", "name=relu", "--quiet"]
    assert opperf(tmp_path, "run", *flags, "--format", "json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["status"] for row in rows] == ["skipped"]
    assert opperf(tmp_path, "run", "--calls", str(calls), "-k", "name=rely") == 2
    assert "did you mean 'relu'?" in capsys.readouterr().err
