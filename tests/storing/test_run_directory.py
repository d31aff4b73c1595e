import json
import re
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from opperf.core.errors import UsageError
from opperf.storing import RunDirectory, StorageError
from opperf.storing import run_directory as module
from opperf.storing.document import LONGEST
from opperf.storing.run_directory import make_run_id

MANIFEST: dict[str, Any] = {
    "command": "opperf run",
    "tags": [],
    "selection": {
        "text": "gemm", "frameworks": ["numpy"], "dtype": "float32", "sizes": ["small"],
        "inputs": {}, "settings": {"threads": 1},
    },
    "limits": {"timeout": 60.0, "compile_timeout": 600.0, "memory": None},
    "variables": {"A": "1"},
    "packages": {"numpy": "1.26.4"},
}  # fmt: skip


def changed(**fields: Any) -> bytes:
    """Return a manifest with fields changed."""
    own = {"schema": "opperf.run/1", "run_id": "r", "created_at": "2026-11-21T00:00:00+00:00"}
    return json.dumps({**own, **MANIFEST, **fields}).encode()


def test_a_new_run_has_a_manifest_and_no_results(tmp_path: Path) -> None:
    """The manifest says what the caller gave, and which run it is of."""
    run = RunDirectory.create(tmp_path / "deep" / "runs", MANIFEST)
    assert run.path.parent == tmp_path / "deep" / "runs"
    assert run.run_id == run.path.name
    assert run.results_path.read_bytes() == b""
    manifest = run.manifest()
    assert manifest["schema"] == "opperf.run/1"
    assert manifest["run_id"] == run.run_id
    assert manifest["created_at"].endswith("+00:00")
    assert {name: manifest[name] for name in MANIFEST} == MANIFEST
    assert {path.name for path in run.path.iterdir()} == {"run.json", "results.jsonl"}


def test_a_caller_cannot_rename_a_run(tmp_path: Path) -> None:
    """The manifest's own fields come from the directory."""
    own = {"schema": "mine", "run_id": "mine", "created_at": "x"}
    run = RunDirectory.create(tmp_path, {**MANIFEST, **own})
    assert run.manifest()["run_id"] == run.run_id


def test_ids_sort_by_time() -> None:
    """To a quarter of a millisecond: `last` must not be a matter of chance."""
    start = datetime(2026, 11, 21, 3, 15, 2, tzinfo=timezone.utc)
    moments = [start + timedelta(microseconds=250 * number) for number in range(8000)]
    run_ids = [make_run_id(moment) for moment in moments]
    assert run_ids == sorted(run_ids)
    assert all(re.fullmatch(r"20261121T03150[23]-[0-9a-f]{6}", run_id) for run_id in run_ids)


def test_two_runs_never_share_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An id that is taken is not taken again."""
    run_ids = iter(["a", "a", "b"])
    monkeypatch.setattr(module, "make_run_id", lambda _: next(run_ids))
    runs = [RunDirectory.create(tmp_path, MANIFEST).run_id for _ in range(2)]
    assert runs == ["a", "b"]


@pytest.mark.parametrize("place", ["file", "file/runs", "/proc/opperf/runs"])
def test_a_directory_that_cannot_be_written_is_named(tmp_path: Path, place: str) -> None:
    """With the system's reason and what to set."""
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=r"cannot create a run in .*; set runs_dir to") as caught:
        RunDirectory.create(tmp_path / place, MANIFEST)
    assert str(tmp_path / place) in str(caught.value)


def test_a_run_whose_manifest_was_not_written_is_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, or a kill, at that moment leaves nothing that `last` would find."""

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("opperf.core.disk.os.fsync", fail)
        with pytest.raises(UsageError, match="No space left on device"):
            RunDirectory.create(tmp_path, MANIFEST)
    with pytest.raises(UsageError, match="there are no runs"):
        RunDirectory.find(tmp_path, "last")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "not JSON"),
        (b"\xff", "not UTF-8"),
        (b"[]", "not a JSON object"),
        (b'{"schema": "opperf.run/1", "x": NaN}', "NaN is not a number"),
        (b"[" * 100_000, "nested deeper"),
        (b" " * (LONGEST + 1), "not a JSON object of at most 8 MiB"),
        (b'{"schema": "opperf.run/9"}', "unknown run version 'opperf.run/9'; this opperf reads"),
        (b'{"schema": "opperf.run/1", "run_id": "r"}', "field 'created_at' is missing"),
        (changed(run_id=3), "field 'run_id' must be str, not 3"),
        (changed(limits={}), "field 'limits.timeout' is missing"),
        (changed(limits={**MANIFEST["limits"], "timeout": 1e9}), "field 'limits.timeout' must be"),
        (changed(tags=[3]), "field 'tags[0]' must be str, not 3"),
        (changed(packages="ab"), "field 'packages' must be object, not 'ab'"),
        (
            changed(selection={**MANIFEST["selection"], "threads": None}),
            "field 'selection.threads'",
        ),
        (changed(kind="ab"), "field 'arms' is missing"),
    ],
)
def test_a_damaged_manifest_is_an_error(tmp_path: Path, text: bytes, message: str) -> None:
    """That names the file and what is wrong with it."""
    run = RunDirectory.create(tmp_path, MANIFEST)
    (run.path / "run.json").write_bytes(text)
    with pytest.raises(UsageError) as caught:
        run.manifest()
    assert str(caught.value).startswith(f"{run.path / 'run.json'}: {message}")


def test_a_missing_manifest_is_named(tmp_path: Path) -> None:
    """As for a results file that lies alone."""
    (tmp_path / "alone.jsonl").touch()
    run = RunDirectory.find(tmp_path, str(tmp_path / "alone.jsonl"))
    with pytest.raises(UsageError, match=r"cannot read .*run\.json: No such file"):
        run.manifest()


def test_the_manifest_is_there_in_full_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gets its name only once the disk holds all of it."""
    seen: list[object] = []
    replace = Path.replace

    def watch(self: Path, target: Path) -> Path:
        seen.extend([json.loads(self.read_bytes())["command"], target.exists()])
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", watch)
    RunDirectory.create(tmp_path, MANIFEST)
    assert seen == ["opperf run", False]


def test_logs_are_named_by_number(tmp_path: Path) -> None:
    """A second one by the same number takes the place of the first."""
    run = RunDirectory.create(tmp_path, MANIFEST)
    run.save_log(41, b"first")
    path = run.save_log(41, b"\x1b[31msecond\xff")
    assert path == run.path / "logs" / "0041.log"
    assert path.read_bytes() == b"\x1b[31msecond\xff"


def test_a_log_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """As any result that cannot be stored."""
    run = RunDirectory.create(tmp_path, MANIFEST)
    (run.path / "logs").touch()
    with pytest.raises(StorageError, match=r"cannot write .*logs/0041\.log: "):
        run.save_log(41, b"text")
