"""The process that a command hangs below: it adopts what is orphaned, and ends all of it.

Run as a script by an isolated interpreter without site packages, so that it is small: what a
process weighed before `exec` counts as its largest size. It reads a job as one line of JSON from
its control pipe, says "ready PID" on its report pipe, starts the command at "go", and says how it
ended. Once the control pipe closes, however the parent went, it kills what is left.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

TYPE_CHECKING = False
"""Type checkers take it for true; nothing here needs `typing`, which is half a megabyte."""
if TYPE_CHECKING:
    from typing import Any

SET_PDEATHSIG, SET_CHILD_SUBREAPER = 1, 36
LONGEST_END = 10.0
"""Seconds after which a process that cannot be killed is given up and named."""
PAUSE = 0.01
LISTED = Path("/proc/thread-self/children")
IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The keeper ends when the command has, and not before."""
CANNOT_START = 127


def prctl(option: int, value: int) -> None:
    """Set an attribute of this process, where the system has such."""
    import ctypes

    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def below(pid: int) -> list[int]:
    """Return the processes that hang below one."""
    found: list[int] = []
    waiting = [pid]
    children_of = listed_children if LISTED.exists() else all_children().get
    while waiting:
        children = children_of(waiting.pop()) or []
        found += children
        waiting += children
    return found


def listed_children(pid: int) -> list[int]:
    """Return the children of a process by the kernel's own list."""
    found: list[int] = []
    with suppress(OSError):  # it has ended
        # pathlib takes three times as long, and this is done ten times a second.
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208
            found += children_of_thread(pid, thread)
    return found


def children_of_thread(pid: int, thread: int | str) -> list[int]:
    """Return the processes that a thread has started, or that have been given to it."""
    file = os.open(f"/proc/{pid}/task/{thread}/children", os.O_RDONLY | os.O_CLOEXEC)
    try:
        words = b""
        while part := os.read(file, 65536):
            words += part
    finally:
        os.close(file)
    return [*map(int, words.split())]


def all_children() -> dict[int, list[int]]:
    """Return the children of all processes by what each says of its parent.

    A kernel may be built without the list.
    """
    found: dict[int, list[int]] = {}
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            fields = (place / "stat").read_bytes().rpartition(b")")[2].split()
            found.setdefault(int(fields[1]), []).append(int(place.name))
    return found


def io_counters() -> dict[str, int]:
    """Return the bytes that this process and all that it has reaped have read and written."""
    try:
        lines = Path("/proc/self/io").read_text().splitlines()
    except OSError:
        return {}
    return {name: int(value) for name, _, value in (line.partition(":") for line in lines)}


def start(job: dict[str, Any], ends: tuple[int, ...]) -> tuple[int, int, int]:
    """Fork the command; return it, what lets it go on, and where it says that it cannot."""
    gate, open_gate = os.pipe()
    faults, say_fault = os.pipe()
    pid = os.fork()
    if pid:
        os.close(gate)
        os.close(say_fault)
        return pid, open_gate, faults
    try:
        for end in (*ends, open_gate, faults):
            os.close(end)
        os.setsid()
        prctl(SET_PDEATHSIG, signal.SIGKILL)
        if job["cgroup"]:
            Path(job["cgroup"], "cgroup.procs").write_text("0", encoding="ascii")
        for number in (*IGNORED, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        if os.read(gate, 1):
            os.chdir(job["directory"])
            os.execvpe(  # noqa: S606 - a shell only where the job asks for one
                job["arguments"][0], job["arguments"], job["variables"]
            )
    except OSError as error:
        fault = f"{error.filename or job['arguments'][0]}: {error.strerror}"
        os.write(say_fault, fault.encode(errors="surrogateescape")[:4096])
    finally:
        os._exit(CANNOT_START)


class Keeper:
    """The command's state: its status once it has ended, and what became of its orphans."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.status: int | None = None
        self.peak = 0
        self.ended = 0.0
        self.any_left = True

    def reap(self) -> None:
        """Take the ends of all children that have ended."""
        while self.any_left:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                self.any_left = False
                return
            if not pid:
                return
            self.peak = max(self.peak, usage.ru_maxrss * 1024)
            if pid == self.pid:
                self.ended = time.perf_counter()
                self.status = os.waitstatus_to_exitcode(status)

    def send(self, number: int) -> None:
        """Send a signal to all that hangs below."""
        for pid in below(os.getpid()):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)

    def kill(self) -> list[int]:
        """Kill until nothing hangs below; return what cannot be killed."""
        deadline = time.monotonic() + LONGEST_END
        while True:
            self.send(signal.SIGSTOP)  # what is stopped starts no further ones
            self.send(signal.SIGKILL)
            self.reap()
            if not self.any_left:
                return []
            if time.monotonic() > deadline:
                return below(os.getpid())
            time.sleep(PAUSE)


def say(report: int, **fields: object) -> None:
    """Send one line to the parent, which may be gone."""
    with suppress(OSError):
        os.write(report, json.dumps(fields).encode() + b"\n")


def keep(control: int, report: int, wake: int, job: dict[str, Any]) -> None:
    """Start the command, obey the parent, and say how the command ended."""
    pid, gate, faults = start(job, (control, report, wake))
    keeper = Keeper(pid)
    begun = time.perf_counter()
    say(report, ready=pid)
    before = io_counters()
    while keeper.status is None:
        ready, _, _ = select.select([control, wake], [], [])
        if wake in ready:
            os.read(wake, 4096)
            keeper.reap()
        if control not in ready:
            continue
        orders = os.read(control, 64)
        if not orders:
            break
        if b"go" in orders.split():
            begun = time.perf_counter()
            with suppress(OSError):  # killed before it could begin
                os.write(gate, b"g")
        if b"end" in orders.split():
            keeper.send(signal.SIGTERM)
    outliving = below(os.getpid())
    left = keeper.kill()
    usage = os.times()
    io = {name: value - before.get(name, 0) for name, value in io_counters().items()}
    fault = os.read(faults, 4096).decode(errors="replace")
    say(
        report,
        seconds=keeper.ended - begun, status=keeper.status, fault=fault, peak=keeper.peak,
        outliving=len(outliving), left=left,
        cpu_seconds=usage.children_user + usage.children_system, io=io,
    )  # fmt: skip


def main(control: int, report: int) -> None:
    """Read the job and carry it out."""
    prctl(SET_CHILD_SUBREAPER, 1)
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    for end in (control, report):
        os.set_inheritable(end, False)  # noqa: FBT003 - the function's only form
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    for number in IGNORED:
        signal.signal(number, signal.SIG_IGN)
    with os.fdopen(os.dup(control), "rb", buffering=0) as requests:
        line = bytearray()
        while not line.endswith(b"\n"):
            data = requests.read(1)
            if not data:
                return
            line += data
    keep(control, report, wake, json.loads(line))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
