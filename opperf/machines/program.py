"""Calling an engine's own program: it talks to whoever called opperf, within a time."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import subprocess
import time
from contextlib import contextmanager, suppress
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, ClassVar

from opperf.core.errors import OpperfError, UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from subprocess import Popen

    from opperf.machines.engine import EngineCall

GRACE = 5.0
"""Seconds that a program has to end once it is asked to."""
MOST_SAID = 64 * 1024
"""Bytes that a list of jobs may have."""
JOB = re.compile(r"[0-9]{1,12}")


class EngineError(OpperfError):
    """An engine's program failed, hung, or said something that is not its protocol."""

    exit_code: ClassVar[int] = 11


def perform(call: EngineCall, source: str, limit: float) -> None:
    """Carry out a command of an engine.

    Raises:
        UsageError: its program is not there, or the machine is not, or is there already.
        EngineError: it failed or took too long.
    """
    words = [*call.words]
    deadline = time.monotonic() + limit
    for program in dict.fromkeys([*(call.jobs or ())[:1], words[0]]):
        if shutil.which(program) is None:
            raise UsageError(f"there is no program {program} on PATH: {source}")
    if call.jobs is not None:
        found = job_numbers(call.jobs, deadline)
        if call.anew and found:
            raise UsageError(f"there is one of that name: job {', '.join(found)}; delete it first")
        if not call.anew and not found:
            raise UsageError("there is no job of that name that waits or runs; create one first")
        words += [] if call.anew else [",".join(found)]
    run(words, call.text, deadline)


def run(words: Sequence[str], text: str | None, deadline: float) -> None:
    """Run a program that prints what it has to say where opperf does.

    Its output is not read: it may be any amount, and what the program leaves behind on purpose,
    such as SkyPilot's server, may hold it open.

    Raises:
        EngineError: it failed or took too long.
    """
    with TemporaryFile() as file:
        file.write((text or "").encode())
        file.seek(0)
        with program_process(words, file, None) as process:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                raise EngineError(
                    f"{words[0]} did not end in time and was ended; what it has begun may go on: "
                    "see `opperf machine status`"
                ) from None
    refuse_failure(words, process.returncode)


def job_numbers(words: Sequence[str], deadline: float) -> list[str]:
    """Return the numbers of jobs that a command prints, one a line.

    Raises:
        EngineError: it failed, took too long, or printed anything else.
    """
    reading, writing = os.pipe()
    with (
        os.fdopen(reading, "rb") as output,
        os.fdopen(writing, "wb") as printing,
        program_process(words, subprocess.DEVNULL, writing) as process,
    ):
        printing.close()
        said = read_until(output.fileno(), process, words[0], deadline)
    refuse_failure(words, process.returncode)
    found = said.decode("utf-8", "replace").split()
    for word in found:
        if not JOB.fullmatch(word):
            raise EngineError(f"{words[0]} printed {quote(word)} where a job's number was expected")
    return found


@contextmanager
def program_process(
    words: Sequence[str], stdin: IO[bytes] | int, stdout: int | None
) -> Iterator[Popen[bytes]]:
    """Start a program, and end it where anything is raised before it has ended.

    Nobody can answer it: it has no terminal, and leads a group of its own.

    Raises:
        EngineError: it cannot be started.
    """
    running: list[Popen[bytes]] = []
    try:
        with hold_back_signals():  # else it may run before anybody knows what to end
            running.append(start(words, stdin, stdout))
        yield running[0]
    except BaseException:
        for process in running:
            end(process)
        raise


@contextmanager
def hold_back_signals() -> Iterator[None]:
    """Let what raises in this process at a signal do so at the end of the block, and not within."""
    held: list[int] = []
    kept = {
        number: signal.signal(number, lambda number, _: held.append(number))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        if callable(signal.getsignal(number))
    }
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
        for late in held:
            signal.raise_signal(late)


def start(words: Sequence[str], stdin: IO[bytes] | int, stdout: int | None) -> Popen[bytes]:
    """Start a program.

    Raises:
        EngineError: it cannot be started.
    """
    try:
        return subprocess.Popen(  # noqa: S603 - the engine's own program, words as a list
            [*words], stdin=stdin, stdout=stdout, start_new_session=True
        )
    except OSError as error:
        raise EngineError(f"{words[0]} cannot be started: {error.strerror}") from None


def read_until(descriptor: int, process: Popen[bytes], name: str, deadline: float) -> bytes:
    """Return what a program prints until it ends.

    Raises:
        EngineError: it prints too much, or takes too long.
    """
    said = b""
    while select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))[0]:
        more = os.read(descriptor, MOST_SAID)
        said += more
        if len(said) > MOST_SAID:
            raise EngineError(f"{name} printed more than a list of jobs; it was ended")
        if not more:
            break
    try:
        process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise EngineError(f"{name} did not end in time and was ended") from None
    return said


def end(process: Popen[bytes]) -> None:
    """Ask a program and its group to end, and then make them."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
            return


def refuse_failure(words: Sequence[str], status: int) -> None:
    """Refuse an exit status that is no success, nor the end of somebody's reading.

    Raises:
        EngineError: says which, and of which command.
    """
    if status not in {0, -signal.SIGPIPE}:
        how = f"exit status {status}" if status > 0 else f"signal {-status}"
        raise EngineError(f"`{' '.join(words[:2])} ...` failed: {how}; what it said stands above")
