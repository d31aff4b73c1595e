import errno
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import Popen

import pytest

from opperf.core.results.result import Result
from opperf.storing import Journal, StorageError, read

MakeResult = Callable[..., Result]
Start = Callable[..., Popen[str]]
SHORT = 40
"""Bytes of a line that reached the disk."""


def ids(results: tuple[Result, ...] | list[Result]) -> list[str]:
    """Return the results' ids, in order."""
    return [result.result_id for result in results]


def fail_with(number: int) -> Callable[..., None]:
    """Return a function that fails as the operating system would."""

    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


def test_what_was_acknowledged_survives_a_kill(
    path: Path, start: Start, make_result: MakeResult
) -> None:
    """Killed at any moment, a run loses at most the operator in hand."""
    program = """
with Journal(path) as journal:
    while True:
        pair = [next(numbered), next(numbered)]
        journal.append(pair)
        print(*(result.result_id for result in pair), flush=True)
"""
    acknowledged: list[str] = []
    for round_number in range(1, 6):
        path.unlink(missing_ok=True)
        with start(program, path, make_result(reason="x" * 20_000)) as process:
            lines = [process.stdout.readline() for _ in range(3 * round_number)]
            process.kill()
            lines += process.stdout.readlines()
        assert process.returncode == -signal.SIGKILL
        acknowledged = " ".join(lines).split()
        found = ids(read(path).results)
        assert found[: len(acknowledged)] == acknowledged
        assert len(found) <= len(acknowledged) + 2
    with Journal(path) as journal:
        assert ids(journal.found.results)[: len(acknowledged)] == acknowledged


LIMITED = """
with Journal(path) as journal:
    journal.append([next(numbered)])
    limit = path.stat().st_size + 40
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    try:
        journal.append([next(numbered)])
    except OpperfError as error:
        print(json.dumps([type(error).__name__, error.exit_code, str(error)]))
"""


def test_a_kill_in_the_middle_of_a_line_tears_only_that_line(path: Path, start: Start) -> None:
    """A signal between the two halves of a write leaves the first half in the file."""
    program = "signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n" + LIMITED
    with start(program, path) as process:
        process.wait()
    assert process.returncode == -signal.SIGXFSZ
    reading = read(path)
    assert ids(reading.results) == ["r0"]
    assert path.stat().st_size == reading.size + SHORT
    assert "line 2: no newline at its end" in str(reading.warning)


def test_a_write_that_stops_half_way_leaves_no_torn_line(path: Path, start: Start) -> None:
    """And ends in one line that says what to do."""
    with start("signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n" + LIMITED, path) as process:
        name, exit_code, message = json.loads(process.stdout.read())
    assert (name, exit_code) == ("StorageError", 1)
    resume = "opperf resume 20261121T031502-7f3a9c"
    assert message == f"cannot write {path}: File too large; free space, then `{resume}`"
    assert ids(read(path).results) == ["r0"]
    assert read(path).warning is None


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a file system with very little room, where that is allowed."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount, unmount = shutil.which("mount"), shutil.which("umount")
    if mount is None or unmount is None:
        pytest.skip("mounting a file system is not possible here")
    try:
        command = [mount, "-t", "tmpfs", "-o", "size=64k", "opperf-test", disk]
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("mounting a file system is not allowed here")
    yield disk
    subprocess.run([unmount, "-l", disk], check=True)


def test_a_full_disk_keeps_every_earlier_result(small_disk: Path, make_result: MakeResult) -> None:
    """And the run goes on as soon as there is room."""
    path, filler = small_disk / "results.jsonl", small_disk / "filler"
    filler.write_bytes(bytes(32 * 1024))
    results = [make_result() for _ in range(100)]
    appended = iter(results)
    with Journal(path) as journal:
        with pytest.raises(StorageError, match="No space left on device; free space, then"):
            append_all(journal, appended)
        stored = results[: -len(list(appended)) - 1]
        assert ids(read(path).results) == ids(stored)
        filler.unlink()
        journal.append([make_result(result_id="late")])
    assert ids(read(path).results) == [*ids(stored), "late"]


def append_all(journal: Journal, results: Iterator[Result]) -> None:
    """Append one result at a time."""
    for result in results:
        journal.append([result])


@pytest.mark.parametrize(
    ("number", "remedy"),
    [(errno.ENOSPC, "free space"), (errno.EDQUOT, "free space"), (errno.EIO, "mend the disk")],
)
def test_a_failed_flush_takes_the_results_back(
    path: Path,
    make_result: MakeResult,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    remedy: str,
) -> None:
    """A disk may accept what it then cannot keep; nobody was told that it was stored."""
    results = [make_result() for _ in range(3)]
    with Journal(path) as journal:
        journal.append(results[:1])
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", fail_with(number))
            with pytest.raises(StorageError, match=f"{os.strerror(number)}; {remedy}, then"):
                journal.append(results[1:])
        assert ids(read(path).results) == ids(results[:1])
        journal.append(results[1:])
    assert ids(read(path).results) == ids(results)


def test_an_interrupted_append_takes_the_results_back(
    path: Path, make_result: MakeResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C is passed on, and leaves whole operators only."""

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with Journal(path) as journal:
        journal.append([make_result()])
        with monkeypatch.context() as patch:
            patch.setattr("opperf.core.disk.os.fsync", interrupt)
            with pytest.raises(KeyboardInterrupt):
                journal.append([make_result()])
    assert len(read(path).results) == 1


@pytest.mark.parametrize("deed", ["removed", "changed"])
def test_a_file_that_another_program_took_away_is_noticed(
    path: Path, make_result: MakeResult, deed: str
) -> None:
    """Otherwise hours of results would go into a file that no longer has a name."""
    with Journal(path) as journal:
        journal.append([make_result()])
        if deed == "removed":
            path.unlink()
        else:
            path.write_bytes(b"")
        with pytest.raises(StorageError, match=f"it was {deed} since this run opened it"):
            journal.append([make_result()])
