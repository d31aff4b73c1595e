"""Real commands under watch: what they take, how they end, and that nothing of them is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.errors import UsageError
from opperf.watching import keeper
from opperf.watching.command import WatchCommand
from opperf.watching.keeper import below
from opperf.watching.log import RotatedLog
from opperf.watching.usage import Usage
from opperf.watching.watch import WatchOptions, watch

if TYPE_CHECKING:
    from collections.abc import Callable

    Marked = tuple[dict[str, str | None], Callable[[], list[int]]]

FAMILY = """
sleep 1000 &
setsid sleep 1001 &
(setsid sh -c 'sleep 1002 & exec sleep 1003' </dev/null >/dev/null 2>&1 &)
"""
"""A child, one in a session of its own, and two whose parent is gone."""
MB = 10**6


def python(code: str, **options: Any) -> WatchCommand:
    """Return a command that runs Python code."""
    return WatchCommand(arguments=[sys.executable, "-c", code], **options)


def test_a_command_that_works() -> None:
    """Its output is handed on line by line, and what it takes is known."""
    lines: list[bytes] = []
    found = watch(python("print('a'); print('b', end='')"), WatchOptions(on_lines=lines.append))
    assert (found.status, found.reason, found.exit_status) == ("ok", None, 0)
    assert b"".join(lines) == b"a\nb\n"
    assert found.tail == "a\nb"
    assert found.outliving == 0
    values = {metric.name: metric.value for metric in found.usage.metrics()}
    assert values["threads_peak"] >= 1
    assert values["processes_peak"] == 1
    assert values["cpu_seconds"] >= 0
    assert values["rss_peak"] > values["cpu_seconds"]
    assert all(value == value for value in values.values())  # noqa: PLR0124 - no NaN


def test_no_peak_lies_below_what_it_is_the_peak_of() -> None:
    """What happens between two samples counts: neither mean nor memory is above its peak."""
    usage = Usage(peak_process=200 * MB, cpu_seconds=0.9, seconds=1.0)
    usage.rss.add(5.0 * MB)
    usage.vms.add(10.0 * MB)
    usage.cpu.add(30.0)
    values = {metric.name: metric.value for metric in usage.metrics()}
    assert values["vms_peak"] == values["rss_peak"] == 200 * MB
    assert values["cpu_percent_peak"] == values["cpu_percent"] == 90.0


def test_memory_of_a_moment_is_seen() -> None:
    """A grandchild that holds 200 MB for 0.3 s, and no sample falls into that time."""
    hold = f"import time; x = b'x' * {200 * MB}; time.sleep(0.3)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {hold!r}], check=True)"
    for interval in (0.1, 1000.0):
        found = watch(python(code), WatchOptions(interval=interval))
        assert found.status == "ok"
        assert found.usage.peak_rss is not None
        assert 190 * MB <= found.usage.peak_rss < 400 * MB


def test_the_tree_is_summed() -> None:
    """Two that hold 60 MB at the same time hold 120 MB; pages that they share count once in PSS."""
    code = f"""
import os, sys, time
x = b"x" * {60 * MB}
pid = os.fork()
if not pid:
    y = b"y" * {60 * MB}
    print("ready", flush=True)
    time.sleep(1000)
time.sleep(1000)
"""
    for timeout in (1.0, 4.0, 16.0, 64.0):  # until it has been looked at often enough
        found = watch(python(code), WatchOptions(timeout=timeout, grace=0.1))
        rss, pss = found.usage.rss.largest or 0, found.usage.pss.largest or 0
        if pss >= 115 * MB:
            break
    assert rss >= 175 * MB  # 60 and 60, and once more 60 that they share
    assert 115 * MB <= pss < 160 * MB
    assert found.usage.processes.largest == 2


def test_bytes_and_processor_time_are_the_kernels(tmp_path: Path) -> None:
    """What children wrote and computed that ended between two samples counts too."""
    code = """
import subprocess, sys
work = "import time\\nwhile time.process_time() < 0.2: pass\\nopen('f', 'w').write('x' * 3000000)"
subprocess.run([sys.executable, "-c", work], check=True)
"""
    found = watch(python(code, directory=tmp_path), WatchOptions(interval=1000.0))
    values = {metric.name: metric.value for metric in found.usage.metrics()}
    assert values["cpu_seconds"] is not None
    assert values["cpu_seconds"] >= 0.2
    assert values["bytes_written"] is not None
    assert 3 * MB <= values["bytes_written"] < 4 * MB


@pytest.mark.parametrize("trap", ["", "trap '' TERM INT HUP\n"])
def test_a_time_out_ends_the_whole_tree(marked: Marked, trap: str) -> None:
    """Grandchildren, those in sessions of their own, daemons, and those that ignore requests."""
    variables, left = marked
    command = WatchCommand(script=f"{trap}{FAMILY}echo ready\nwait", variables=variables)
    for timeout in (0.5, 2.0, 8.0, 32.0):  # until it has come so far in its time
        found = watch(command, WatchOptions(timeout=timeout, grace=0.2))
        assert found.status == "timeout"
        assert "no end within" in str(found.reason)
        assert left() == []
        if found.tail == "ready":
            break
    assert found.tail == "ready"


def test_what_outlives_a_command_is_ended_and_said(marked: Marked) -> None:
    """A daemon that the command leaves behind."""
    variables, left = marked
    found = watch(WatchCommand(script="(setsid sleep 1000 &)", variables=variables))
    assert (found.status, found.outliving) == ("ok", 1)
    assert left() == []


def test_interrupt_leaves_nothing(marked: Marked) -> None:
    """Ctrl-C arrives as an exception wherever the parent is."""
    variables, left = marked

    def press(lines: bytes) -> None:
        """Press Ctrl-C once the whole family is there."""
        del lines
        raise KeyboardInterrupt

    command = WatchCommand(script=f"{FAMILY}echo ready\nwait", variables=variables)
    with pytest.raises(KeyboardInterrupt):
        watch(command, WatchOptions(on_lines=press))
    assert left() == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_death_of_the_parent_leaves_nothing(marked: Marked, number: int) -> None:
    """Whatever ends the process that watches."""
    variables, left = marked
    code = f"""
from opperf.watching.command import WatchCommand
from opperf.watching.watch import WatchOptions, watch
options = WatchOptions(on_lines=lambda lines: print(lines.decode(), flush=True))
watch(WatchCommand(script={FAMILY + "echo ready; wait"!r}, variables={variables!r}), options)
"""
    parent = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"ready\n"
    parent.send_signal(number)
    parent.wait()
    parent.stdout.close()
    assert left() == []


RUNAWAY = """
import os
while True:
    if os.fork():
        os._exit(0)
"""
"""Each process hands on to a child and ends, as fast as it can."""
BOMB = """
import os, time
for _ in range(6):
    os.fork()
os.setsid() if os.getpid() != os.getsid(0) else None
print("ready", flush=True)
time.sleep(1000)
"""


@pytest.mark.parametrize("code", [RUNAWAY, BOMB])
def test_runaways_are_ended(marked: Marked, code: str) -> None:
    """Those that are never the same process, and those that are many."""
    variables, left = marked
    found = watch(python(code, variables=variables), WatchOptions(timeout=1.0, grace=0.1))
    assert found.status in {"ok", "timeout"}
    assert found.unkillable == []
    assert left() == []


def test_a_command_that_kills_its_keeper(marked: Marked) -> None:
    """Its processes are found by the variable that they have inherited."""
    variables, left = marked
    script = f"{FAMILY}kill -9 $PPID; sleep 1000"
    found = watch(WatchCommand(script=script, variables=variables))
    assert found.status == "crashed"
    assert found.reason == "the process that watched over it was killed"
    assert left() == []


def test_a_command_that_kills_its_group(marked: Marked) -> None:
    """The keeper is in another one."""
    variables, left = marked
    found = watch(WatchCommand(script=f"{FAMILY}kill -9 0", variables=variables))
    assert (found.status, found.signal) == ("crashed", "SIGKILL")
    assert left() == []


def test_endings_by_themselves() -> None:
    """By a status and by a signal."""
    found = watch(WatchCommand(script="exit 3"))
    assert (found.status, found.reason) == ("failed", "it ended with status 3")
    assert found.exit_status == 3
    found = watch(WatchCommand(script="kill -SEGV $$"))
    assert (found.status, found.signal) == ("crashed", "SIGSEGV")


def test_a_flood_fills_neither_disk_nor_memory(tmp_path: Path) -> None:
    """What prints without end is ended in time, and its log is bounded."""
    log = RotatedLog(tmp_path / "log", limit=10_000)
    found = watch(WatchCommand(arguments=["yes"]), WatchOptions(timeout=0.5, grace=0.1, log=log))
    log.close()
    assert found.status == "timeout"
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 10_000
    assert len(found.tail) <= 4096


def test_a_command_that_closes_its_output() -> None:
    """It is awaited all the same."""
    found = watch(WatchCommand(script="echo a; exec >&- 2>&-; sleep 0.2; exit 4"))
    assert (found.tail, found.exit_status) == ("a", 4)


def test_a_full_disk_is_said_and_does_not_stop_the_command(tmp_path: Path) -> None:
    """Its lines are read all the same."""
    (tmp_path / "log").symlink_to("/dev/full")
    log = RotatedLog(tmp_path / "log")
    lines: list[bytes] = []
    script = "echo a; echo b"
    found = watch(WatchCommand(script=script), WatchOptions(log=log, on_lines=lines.append))
    log.close()
    assert (found.status, b"".join(lines)) == ("ok", b"a\nb\n")
    assert found.log_fault == f"{tmp_path / 'log'}: No space left on device"
    assert log.dropped == 4


def test_environment_and_paths(tmp_path: Path) -> None:
    """The command sees them; this process's own environment stays as it was."""
    before = {**os.environ}
    code = (
        "import os; print(*(os.environ.get(n) for n in ('A', 'HOME', 'PYTHONPATH')), os.getcwd())"
    )
    command = WatchCommand(
        arguments=["-c", code],
        program=sys.executable,
        launcher=("env", "B=c"),
        variables={"A": "1", "HOME": None, "PYTHONPATH": "/last"},
        python_paths=["/first"],
        library_paths=[str(tmp_path)],
        directory=tmp_path,
    )
    found = watch(command)
    assert found.tail == f"1 None /first:/last {tmp_path}"
    assert os.environ == before
    assert command.environment()["LD_LIBRARY_PATH"].split(":")[0] == str(tmp_path)


def test_no_shell_unless_asked_for() -> None:
    """A semicolon is an argument like any other."""
    found = watch(WatchCommand(arguments=["echo", "a;", "echo", "$HOME", "`b`"]))
    assert found.tail == "a; echo $HOME `b`"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (WatchCommand(arguments=[]), "an empty command"),
        (WatchCommand(arguments=["/nowhere/x"]), "there is no such file"),
        (WatchCommand(arguments=["/etc/passwd"]), "it cannot be executed"),
        (WatchCommand(arguments=["ech"]), "no program on PATH is called so; did you mean"),
        (WatchCommand(arguments=["echo", "a\0b"]), "NUL"),
        (WatchCommand(arguments=["echo", "a" * 200_000]), "longer than"),
        (WatchCommand(arguments=["echo"], directory=Path("/nowhere")), "no such directory"),
        (WatchCommand(arguments=["echo"], preload=["/nowhere.so"]), "cannot preload"),
    ],
)
def test_what_cannot_start_is_refused_in_one_line(command: WatchCommand, message: str) -> None:
    """Before anything is started."""
    with pytest.raises(UsageError, match=message) as caught:
        watch(command)
    assert "\n" not in str(caught.value)


def test_what_the_kernel_refuses_is_a_failure(tmp_path: Path) -> None:
    """A program that passes every check and is none."""
    program = tmp_path / "program"
    program.write_bytes(b"\x7fELF nonsense")
    program.chmod(0o755)
    found = watch(WatchCommand(arguments=[str(program)]))
    assert found.status == "failed"
    assert found.reason == f"cannot run {program}: Exec format error"


def test_children_are_found_without_the_kernels_list(
    marked: Marked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By their parents, as on a kernel that is built without it."""
    variables, left = marked
    found: list[list[int]] = []

    def look(lines: bytes) -> None:
        """Take both ways' answer while the command stands still."""
        pid = int(lines)
        found.append(sorted(below(pid)))
        monkeypatch.setattr(keeper, "LISTED", Path("/proc/nothing"))
        found.append(sorted(below(pid)))
        raise KeyboardInterrupt

    script = "sleep 1000 & sh -c 'sleep 1001 & echo $PPID; wait'"
    with pytest.raises(KeyboardInterrupt):
        watch(WatchCommand(script=script, variables=variables), WatchOptions(on_lines=look))
    assert left() == []
    by_list, by_parents = found
    assert by_list == by_parents
    assert len(by_list) == 3
