"""What waits on disk: killed at any line, two processes at once, a full disk, damage."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.errors import UsageError
from opperf.specs.reporters import batch
from opperf.specs.reporters.remote import RemoteReporter, UndeliveredError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from opperf.specs.reporters.meta import Meta
    from tests.specs.reporters.conftest import Results

    MakeMeta = Callable[..., Meta]

REPORT = """
import sys
from opperf.specs.reporters.meta import Meta
from opperf.specs.reporters.remote import RemoteReporter

META = Meta(platform="linux", framework="numpy", net="alexnet", metric="delay",
            identifier="small", time=1.7e9)

def report(target, *names):
    return RemoteReporter(target).report([{"name": name} for name in names], META)
"""
KILLED = """
import os, signal
place, seen = os.path.join("specs", "reporters"), set()

def lines(kill_at):
    def trace(frame, event, argument):
        path = frame.f_code.co_filename
        if place not in path and not path.endswith("disk.py"):
            return None
        if event == "line" and (path, frame.f_lineno) not in seen:
            seen.add((path, frame.f_lineno))
            if len(seen) == kill_at:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace
    return trace

def attempt(number, kill_at):
    child = os.fork()
    if not child:
        if kill_at:
            sys.settrace(lines(kill_at))
        report(sys.argv[1], f"{number}a", f"{number}b")
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

kills = 0
while attempt(kills, kills + 1) == -signal.SIGKILL:
    assert attempt(kills, 0) == 0
    kills += 1
print(kills)
"""
BOTH = """
report(sys.argv[1], *(f"{n}" for n in range(10)))
for n in range(5):
    report(sys.argv[1], f"{sys.argv[2]}{n}")
"""
FULL = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
try:
    report(sys.argv[1], *(f"{n}" for n in range(10)))
except ValueError as error:
    print(error)
"""


def run(script: str, *arguments: str) -> str:
    """Run a script in a process of its own, and return what it prints."""
    command = [sys.executable, "-c", REPORT + script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def waiting(folder: Path) -> list[Path]:
    """Return the reports that wait below a folder."""
    return sorted(folder.rglob("waiting/*"))


def test_a_kill_at_any_line_loses_nothing(server: Results, tmp_path: Path) -> None:
    """Each line that a report goes through is the last of a process, which then reports again.

    What the server has acknowledged before the line that writes it down is sent once more: with
    the same key, so that it is kept once.
    """
    kills = int(run(KILLED, server.target))
    assert kills > 150
    kept = sorted(server.names())
    assert kept == sorted(f"{n}{letter}" for n in range(kills + 1) for letter in "ab")
    again = len(server.bodies) - len(server.kept)
    assert 0 < again < kills / 2
    assert waiting(tmp_path) == []


def test_two_processes_send_nothing_twice(server: Results, tmp_path: Path) -> None:
    """What both report is one report, and each waits for the other to have sent."""
    both = [
        subprocess.Popen([sys.executable, "-c", REPORT + BOTH, server.target, name])
        for name in "xy"
    ]
    assert [each.wait(120) for each in both] == [0, 0]
    names = [*map(str, range(10)), *(f"{each}{n}" for each in "xy" for n in range(5))]
    assert sorted(body["record"]["name"] for body in server.bodies) == sorted(names)
    assert waiting(tmp_path) == []


def test_a_report_that_a_full_disk_does_not_take_is_not_half_there(
    server: Results, tmp_path: Path
) -> None:
    """Nothing of it is sent, and it says so; once there is room it is."""
    said = run(FULL, server.target)
    assert said.startswith("cannot write into ")
    assert "File too large" in said
    assert "free space, or set XDG_STATE_HOME to another folder; the records stay" in said
    assert server.requests == []
    assert waiting(tmp_path) == []
    run('report(sys.argv[1], "0")', server.target)
    assert server.names() == ["0"]


def test_what_is_sent_while_the_disk_is_full_is_not_sent_again(
    server: Results, make_meta: MakeMeta, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mark is overwritten in place; that the report stays is all that a full disk does."""

    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("opperf.specs.reporters.spool.write_through", fail)
        line = RemoteReporter(server.target).report([{"name": "a"}], make_meta())
    assert line.startswith("sent 1 of 1")
    assert "No space left on device; free space" in line
    assert len(waiting(tmp_path)) == 1
    assert "sent 0 of 0" in RemoteReporter(server.target).report([{"name": "a"}], make_meta())
    assert len(server.requests) == 1
    assert waiting(tmp_path) == []


def test_a_damaged_report_holds_up_no_other(
    server: Results, make_meta: MakeMeta, tmp_path: Path
) -> None:
    """It stays for a person to look at, and what can be read of it is sent."""
    reporter = RemoteReporter(server.target)
    server.faults[:] = ["status 401"]
    with pytest.raises(UndeliveredError):
        reporter.report([{"name": "a"}, {"name": "b"}, {"name": "c"}], make_meta())
    (path,) = waiting(tmp_path)
    first, second, third = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + second[:40] + b"\n" + third)
    reporter = RemoteReporter(server.target)
    with pytest.raises(UndeliveredError, match="batch is damaged; remove it once you have looked"):
        reporter.report([{"name": "d"}], make_meta())
    assert server.names() == ["a", "c", "d"]
    assert waiting(tmp_path) == [path]
    path.unlink()
    assert "sent 0 of 0" in reporter.flush()


def test_what_a_killed_process_left_goes_with_the_next(
    server: Results, make_meta: MakeMeta
) -> None:
    """A report beside its place is none."""
    reporter = RemoteReporter(server.target)
    reporter.report([{"name": "a"}], make_meta())
    left = reporter.spool.reports / ".1.batch.tmp"
    left.write_bytes(b"half")
    (reporter.spool.folder / "sent").write_bytes(b"\n" + b"0" * 20)
    reporter.report([{"name": "b"}], make_meta())
    assert not left.exists()
    assert server.names() == ["a", "b"]
    assert len(reporter.spool.sent_keys()) == 2


def test_a_spool_is_nobody_elses(server: Results, make_meta: MakeMeta) -> None:
    """Records may say what others need not know."""
    reporter = RemoteReporter(server.target)
    reporter.report([{"name": "a"}], make_meta())
    assert reporter.spool.folder.stat().st_mode & 0o077 == 0
    assert reporter.spool.reports.stat().st_mode & 0o077 == 0


def test_what_is_no_record_is_refused(
    server: Results, make_meta: MakeMeta, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is written or sent."""
    reporter = RemoteReporter(server.target)
    with pytest.raises(UsageError, match="a report's record is not JSON"):
        reporter.report([{"name": "a"}, {"name": float("inf")}], make_meta())
    monkeypatch.setattr(batch, "LARGEST", 300)
    with pytest.raises(UsageError, match="bytes: at most 300 are sent"):
        reporter.report([{"name": "a" * 300}], make_meta())
    assert (server.requests, reporter.spool.folder.exists()) == ([], False)


def test_a_server_is_found_again_by_its_facts(server: Results, make_meta: MakeMeta) -> None:
    """For `opperf send`, which is not told where."""
    reporter = RemoteReporter(server.target)
    reporter.report([{"name": "a"}], make_meta())
    facts = json.loads((reporter.spool.folder / "endpoint.json").read_text())
    assert facts == {"endpoint": server.target}
    assert reporter.spool.endpoint == server.target
    assert os.environ["XDG_STATE_HOME"] in str(reporter.spool.folder)
