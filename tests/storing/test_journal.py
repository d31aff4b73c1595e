import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from msgspec.structs import replace

from opperf.core.errors import UsageError
from opperf.core.results.result import Result
from opperf.storing import Journal, StorageError, read
from opperf.storing.document import LONGEST

MakeResult = Callable[..., Result]
Start = Callable[..., Popen[str]]


def ids(results: tuple[Result, ...] | list[Result]) -> list[str]:
    """Return the results' ids, in order."""
    return [result.result_id for result in results]


def fail_with(number: int) -> Callable[..., None]:
    """Return a function that fails as the operating system would."""

    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


def test_what_was_appended_is_read_back(path: Path, make_result: MakeResult) -> None:
    """By any other process at once, while the journal is open, and after a second opening."""
    results = [make_result() for _ in range(5)]
    with Journal(path) as journal:
        journal.append(results[:2])
        assert ids(read(path).results) == ids(results[:2])
        journal.append(results[2:4])
        journal.append([])
    with Journal(path) as journal:
        assert ids(journal.found.results) == ids(results[:4])
        journal.append(results[4:])
    reading = read(path)
    assert ids(reading.results) == ids(results)
    assert reading.warning is None


def test_the_disk_holds_the_results_before_append_returns(
    path: Path, make_result: MakeResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One flush an operator, after all of its lines."""
    sizes: list[int] = []
    with Journal(path) as journal:
        monkeypatch.setattr(os, "fsync", lambda _: sizes.append(path.stat().st_size))
        journal.append([make_result(), make_result()])
    assert sizes == [path.stat().st_size]


@pytest.mark.parametrize("torn", [b'{"schema":"opp', b"\0\0\0\0", b'{"schema":\n'])
def test_a_torn_last_line_is_cut_off_before_the_next_result(
    path: Path, make_result: MakeResult, torn: bytes
) -> None:
    """So that a resumed run does not glue its first result to it."""
    first, second = make_result(), make_result()
    path.write_bytes(first.to_json().encode() + b"\n" + torn)
    with Journal(path) as journal:
        assert "line 2: no" in str(journal.found.warning)
        journal.append([second])
    assert ids(read(path).results) == ids([first, second])
    assert read(path).warning is None


@pytest.mark.parametrize("content", [b"my notes", b"one\ntwo\n", b"{\n{}\n"])
def test_a_damaged_or_foreign_file_is_not_touched(path: Path, content: bytes) -> None:
    """Opening it for writing is refused, and leaves it unlocked."""
    path.write_bytes(content)
    for _ in range(2):
        with pytest.raises(UsageError, match="line 1: no"):
            Journal(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("name", ["missing/results.jsonl", "."])
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    """With the system's reason."""
    with pytest.raises(UsageError, match=r"cannot write .*: (No such file|Is a directory)"):
        Journal(tmp_path / name)


def test_a_second_writer_is_refused(path: Path, start: Start, make_result: MakeResult) -> None:
    """Until the first is gone, even when it was killed; reading is free."""
    program = "with Journal(path) as journal:\n    print('open', flush=True); time.sleep(600)\n"
    with start(program, path) as process:
        process.stdout.readline()
        with pytest.raises(UsageError) as caught:
            Journal(path)
        assert read(path).results == ()
        process.kill()
    message = "run 20261121T031502-7f3a9c is being written by another process; wait until it ends"
    assert str(caught.value).startswith(message)
    with Journal(path) as journal:
        journal.append([make_result()])


def test_a_refused_writer_does_not_cut_off_a_line_in_the_making(path: Path) -> None:
    """What looks torn may be what the first writer is writing right now."""
    with Journal(path):
        path.write_bytes(b'{"half')
        with pytest.raises(UsageError, match="being written"):
            Journal(path)
        assert path.read_bytes() == b'{"half'


@pytest.mark.parametrize("missing", ["module", "support"])
def test_a_run_works_where_files_cannot_be_locked(
    path: Path, make_result: MakeResult, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    """Windows has no fcntl, and some file systems have no locks."""
    if missing == "module":
        monkeypatch.setitem(sys.modules, "fcntl", None)
    else:
        monkeypatch.setattr("fcntl.flock", fail_with(errno.ENOSYS))
    with Journal(path) as journal:
        journal.append([make_result()])
    assert len(read(path).results) == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"flop_rate": float("nan")}, "JSON compliant"),
        ({"attributes": {"axis": {1, 2}}}, "not JSON serializable"),
        ({"status": "good"}, "unknown status 'good'"),
        ({"reason": "x" * LONGEST}, "longer than 8 MiB"),
        ({"flop_count": 10**400}, "an integer of 401 digits"),
    ],
)
def test_a_result_that_could_not_be_read_back_is_not_written(
    path: Path, make_result: MakeResult, changes: dict[str, Any], message: str
) -> None:
    """One such line would make the whole file unreadable; nor are the ones beside it written."""
    with Journal(path) as journal:
        with pytest.raises(StorageError, match=rf"result of Add \(numpy\): .*{message}"):
            journal.append([make_result(), replace(make_result(), **changes)])
        assert path.read_bytes() == b""
        journal.append([make_result()])


def test_a_name_that_is_not_utf_8_is_written_with_question_marks(
    path: Path, make_result: MakeResult
) -> None:
    """Python reads such bytes as half characters; whole ones around them stay."""
    name = b"/tmp/\xe9t\xc3\xa9".decode(errors="surrogateescape") + "\N{SNAIL}"
    with Journal(path) as journal:
        journal.append([make_result(command=name)])
    assert read(path).results[0].command == "/tmp/?té\N{SNAIL}"  # noqa: S108
