"""The tree of local reports: platform/framework/net/metric/id/year/month/day/commit/n."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.errors import UsageError
from opperf.specs.reporters.local import MAKING, LocalReporter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from opperf.specs.reporters.meta import Meta
    from tests.conftest import CommandLine, MakeResult

    MakeMeta = Callable[..., Meta]

PLACE = "linux/numpy/alexnet/delay/small/2023/11/14/abc123"
WRITER = """
import sys
from opperf.specs.reporters.local import LocalReporter
from opperf.specs.reporters.meta import Meta
meta = Meta(platform="linux", framework="numpy", net="alexnet", metric="delay", identifier="small",
            time=1.7e9, commit="abc123", device=sys.argv[2])
sys.stdin.readline()
for n in range(10):
    LocalReporter(sys.argv[1]).report([{"name": f"{sys.argv[2]}{n}"}], meta)
"""


def reports(root: Path) -> list[str]:
    """Return the places of all reports, and nothing else may be there but the lock."""
    found = {path.parent.relative_to(root) for path in root.rglob("*.json*")}
    assert {path.name for path in root.rglob("*") if path.is_file()} <= {
        "data.jsonl", "meta.json", "lock",
    }  # fmt: skip
    return sorted(map(str, found))


def test_two_runs_are_0_and_1(tmp_path: Path, make_meta: MakeMeta) -> None:
    """Row 42: platform/framework/net/metric/id/Y/M/D/commit/n, each with data and meta."""
    reporter = LocalReporter(str(tmp_path / "tree"))
    for value in (1, 2):
        line = reporter.report([{"value": value}, {"value": -value}], make_meta(time=1.7e9 + value))
        assert line == f"written: {tmp_path}/tree/{PLACE}/{value - 1}"
    assert reports(tmp_path / "tree") == [f"{PLACE}/0", f"{PLACE}/1"]
    folder = tmp_path / "tree" / PLACE / "1"
    lines = (folder / "data.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [{"value": 2}, {"value": -2}]
    assert json.loads((folder / "meta.json").read_text()) == {
        "platform": "linux", "framework": "numpy", "net_name": "alexnet", "metric": "delay",
        "identifier": "small", "time": 1.7e9 + 2, "commit": "abc123", "run_type": "benchmark",
    }  # fmt: skip


def test_the_day_is_the_commits_in_utc(tmp_path: Path, make_meta: MakeMeta) -> None:
    """Late on the 31st somewhere is the 1st of the next year here."""
    LocalReporter(str(tmp_path)).report([{}], make_meta(commit_time=1_704_067_199.0))
    LocalReporter(str(tmp_path)).report([{}], make_meta(commit_time=1_704_067_200.0, commit=""))
    assert [place.split("/", 5)[5] for place in reports(tmp_path)] == [
        "2023/12/31/abc123/0", "2024/1/1/no-commit/0",
    ]  # fmt: skip


def test_hostile_names_stay_below_the_root(tmp_path: Path, make_meta: MakeMeta) -> None:
    """No part of a tree leads out of it, whatever a specification calls its nets."""
    root = tmp_path / "a" / "b" / "tree"
    hostile = ("..", "/etc", "x/../../y", "", "C:\\x", "x" * 5000, "a\0b")
    for name in hostile:
        fields = ("platform", "framework", "net", "metric", "identifier", "commit")
        LocalReporter(str(root)).report([{}], make_meta(**dict.fromkeys(fields, name)))
    assert len(reports(root)) == len(hostile)
    assert all(len(place.split("/")) == 10 for place in reports(root))
    assert [path.name for path in tmp_path.rglob("*") if root not in path.parents] == [
        "a", "b", "tree",
    ]  # fmt: skip


def test_names_that_differ_in_case_have_two_folders(tmp_path: Path, make_meta: MakeMeta) -> None:
    """Copied to a disk that ignores case, both are still there."""
    for net in ("AlexNet", "alexnet", "AlexNet", "alexnet"):
        LocalReporter(str(tmp_path)).report([{}], make_meta(net=net))
    nets = sorted(path.name for path in (tmp_path / "linux" / "numpy").iterdir())
    assert len({net.casefold() for net in nets}) == 2
    assert len(reports(tmp_path)) == 4


def test_two_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    """Each report has its own number."""
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path / "tree"), name], stdin=subprocess.PIPE
        )
        for name in "ab"
    ]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write(b"\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=60)
        assert writer.returncode == 0
    folder = tmp_path / "tree" / PLACE
    found = {path.name: json.loads((path / "data.jsonl").read_text()) for path in folder.iterdir()}
    assert sorted(found, key=int) == [str(n) for n in range(20)]
    assert {each["name"] for each in found.values()} == {f"{w}{n}" for w in "ab" for n in range(10)}


def test_a_number_that_another_machine_has_taken_is_kept(
    tmp_path: Path, make_meta: MakeMeta, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Locks of some network file systems hold on one machine only; a rename holds everywhere."""
    monkeypatch.setattr("opperf.specs.reporters.local.numbers", lambda _: [])
    for value in (1, 2):
        LocalReporter(str(tmp_path)).report([{"value": value}], make_meta())
    assert json.loads((tmp_path / PLACE / "0" / "data.jsonl").read_text()) == {"value": 1}
    assert json.loads((tmp_path / PLACE / "1" / "data.jsonl").read_text()) == {"value": 2}


def test_a_failed_write_leaves_nothing(
    tmp_path: Path, make_meta: MakeMeta, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report is there as a whole or not at all; what a killed process left goes with the next."""

    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("opperf.specs.reporters.local.write_whole", fail)
        with pytest.raises(UsageError, match="No space left on device; free space"):
            LocalReporter(str(tmp_path)).report([{}], make_meta())
    (tmp_path / MAKING / "made-left").mkdir()
    assert reports(tmp_path) == []
    LocalReporter(str(tmp_path)).report([{}], make_meta())
    assert reports(tmp_path) == [f"{PLACE}/0"]
    assert [path.name for path in (tmp_path / MAKING).iterdir()] == ["lock"]


def test_a_report_with_a_key_is_not_written_twice_in_a_row(
    tmp_path: Path, make_meta: MakeMeta
) -> None:
    """What follows a repository may have been killed after it had reported."""
    lines = [LocalReporter(str(tmp_path)).report([{}], make_meta(key=key)) for key in "aab"]
    assert lines[1] == f"is there already: {tmp_path}/{PLACE}/0"
    assert reports(tmp_path) == [f"{PLACE}/0", f"{PLACE}/1"]


def test_what_cannot_be_written_is_refused(tmp_path: Path, make_meta: MakeMeta) -> None:
    """In a line, and nothing is left."""
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="file: it is no folder"):
        LocalReporter(str(tmp_path / "file"))
    with pytest.raises(UsageError, match="a report's record is not JSON: ValueError"):
        LocalReporter(str(tmp_path / "tree")).report([{"value": float("nan")}], make_meta())
    assert LocalReporter(str(tmp_path / "tree")).report([], make_meta()).startswith("no records")
    assert not (tmp_path / "tree").exists()
    for wrong in (float("nan"), float("inf"), 1e30):
        with pytest.raises(UsageError, match="must be in seconds since 1970"):
            make_meta(time=wrong)
    with pytest.raises(UsageError, match="unknown run type 'verified'; did you mean 'verify'"):
        make_meta(run_type="verified")


def test_the_data_are_results_that_other_verbs_read(
    tmp_path: Path, make_meta: MakeMeta, make_result: MakeResult, opperf: CommandLine
) -> None:
    """`opperf show` takes the file as any file of results."""
    LocalReporter(str(tmp_path / "tree")).report([make_result().to_mapping()], make_meta())
    shown = opperf.run("show", str(tmp_path / "tree" / PLACE / "0" / "data.jsonl"))
    assert shown.returncode == 0
    assert "Add" in shown.stdout
