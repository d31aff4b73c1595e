"""A job's process, awaited without waking up once: what measures is not disturbed by who waits."""

from __future__ import annotations

import ctypes
import os
import select
import signal
from dataclasses import dataclass, field
from subprocess import DEVNULL, STDOUT, Popen
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

PR_SET_PDEATHSIG = 1


@dataclass
class JobProcess:
    """Runs one command at a time, and ends it when this process is to end."""

    stopping: bool = False
    running: Popen[bytes] | None = field(default=None, init=False)

    def run(
        self, command: Sequence[str], folder: Path, environ: Mapping[str, str], seconds: float
    ) -> int | None:
        """Return the exit code of a command, None where it took longer than allowed.

        The caller's thread sleeps in one system call until then; in a worker that is the thread of
        the event loop, so that no heartbeat is sent meanwhile either. What the command says goes to
        `log` in its folder.
        """
        with (folder / "log").open("ab") as log:
            self.running = Popen(  # noqa: S603 - opperf itself
                command, cwd=folder, env=dict(environ), stdin=DEVNULL, stdout=log, stderr=STDOUT,
                start_new_session=True, preexec_fn=die_with_parent,  # noqa: PLW1509
            )  # fmt: skip
        try:
            if self.stopping:
                self.stop()
            ended = sleep_until_end(self.running.pid, seconds)
            if not ended:
                self.kill()
            code = self.running.wait()
            return code if ended else None
        finally:
            self.running = None

    def stop(self) -> None:
        """End what runs, and have nothing more begun; may be called by a signal's handler."""
        self.stopping = True
        self.kill()

    def kill(self) -> None:
        """End what runs."""
        running = self.running
        if running is not None and running.returncode is None:
            os.killpg(running.pid, signal.SIGKILL)


def die_with_parent() -> None:
    """Have the kernel end this process when the thread that started it is gone."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def sleep_until_end(pid: int, seconds: float) -> bool:
    """Return whether a child ended within so many seconds.

    `Popen.wait` looks twenty times a second where a time is given.
    """
    descriptor = os.pidfd_open(pid)
    try:
        waiting = select.poll()
        waiting.register(descriptor, select.POLLIN)
        return bool(waiting.poll(seconds * 1000))
    finally:
        os.close(descriptor)
