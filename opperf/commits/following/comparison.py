"""Comparing two builds by `opperf ab`, in the treatment's environment, which has its operators.

It is a command of its own: what a commit's package does at its import stays there, and the
comparison ends with the driver, however that ends. What it has measured is gone on with.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opperf.commits.building.room import NoRoomError, is_full
from opperf.commits.building.variables import commit_variables
from opperf.core.errors import UsageError
from opperf.core.machine.lock import measuring_alone
from opperf.fetching.git import end_with_parent
from opperf.fetching.places import remove_tree
from opperf.measuring.worker.code_path import code_path
from opperf.storing.run_directory import list_runs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from opperf.commits.building.build import Build

PROGRAM = (
    "import sys; sys.path[:] = filter(None, sys.path); "
    "from opperf.__main__ import main; sys.exit(main())"
)
"""`-m` would look for modules in the folder that the user is in, such as the repository itself."""
VERDICTS = (0, 10, 11, 12, 13)
"""The exit codes of a comparison that came to verdicts."""
USAGE, EMPTY = 2, 12
BUSY = "another comparison is being measured"
OF_A_COMMIT = ("arm a", "arm b", "plug-in")
"""What an error begins with that lies in the package of a commit, not in what was asked for."""
GRACE = 20.0


@dataclass(frozen=True)
class BuildComparison:
    """What was found: the rows of `opperf ab --format json`, or why there are none."""

    rows: list[dict[str, Any]]
    reason: str | None
    run: Path | None
    is_empty: bool = False


def compare_builds(
    control: Build,
    treatment: Build,
    words: Sequence[str],
    folder: Path,
    settings: Sequence[str] = (),
) -> BuildComparison:
    """Compare two builds, or go on with their comparison where it was interrupted.

    Args:
        control: arm A.
        treatment: arm B.
        words: what `opperf ab` is told besides the arms.
        folder: where the comparison is kept: of these two only.
        settings: variables of both arms' processes, as NAME=value.

    Raises:
        UsageError: what is asked for is wrong, whichever commit is compared.
        NoRoomError: the disk is full; what was measured is gone on with once there is room.
    """
    output = ["--format", "json", "--quiet"]
    found = None
    if run := run_in(folder):
        found = opperf(treatment.python, ["resume", str(run), *output])
        if found.returncode not in VERDICTS:
            refuse_full(found, folder)
            remove_tree(folder)
            found = None
    if found is None:
        arms = [
            word
            for flag, build in (("--a", control), ("--b", treatment))
            for word in (flag, shlex.join([build.python, *settings]))
        ]
        own = [*output, "--wait", "--runs-dir", str(folder)]
        found = opperf(treatment.python, ["ab", *arms, *own, *words])
    reason = last_line(found)
    if found.returncode in VERDICTS:
        rows = json.loads(found.stdout) if found.stdout.strip() else []
        is_empty = found.returncode == EMPTY
        return BuildComparison(rows, None if rows else reason, run_in(folder), is_empty=is_empty)
    refuse_full(found, folder)
    if found.returncode == USAGE and not reason.startswith(OF_A_COMMIT):
        raise UsageError(reason)
    return BuildComparison([], reason or f"exit status {found.returncode}", run_in(folder))


def refuse_full(found: subprocess.CompletedProcess[str], folder: Path) -> None:
    """Refuse to blame a commit for a comparison that failed because the disk is full.

    Raises:
        NoRoomError: it is; what was measured stays.
    """
    if is_full(found.stderr, folder):
        raise NoRoomError(f"{last_line(found)}; free space, then give the same command")


def run_in(folder: Path) -> Path | None:
    """Return the run that a folder holds, None where there is none."""
    found = list_runs(folder) if folder.is_dir() else []
    return folder / found[-1] if found else None


def opperf(python: str, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Return how a command of opperf's ended in an environment.

    One that finds the machine taken, by a comparison whose driver was killed, say, is tried again.
    """
    while True:
        found = run_once(python, words)
        if found.returncode != USAGE or BUSY not in found.stderr:
            return found
        with measuring_alone(wait=True):
            pass


def run_once(python: str, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command of opperf's in an environment; it ends with this process."""
    command = [python, "-c", PROGRAM, *words]
    with subprocess.Popen(  # noqa: S603 - an environment of ours, arguments as a list
        command,
        env={**commit_variables(), "PYTHONPATH": code_path()},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=end_with_parent,  # noqa: PLW1509 - calls nothing but the kernel
    ) as process:
        try:
            out, err = process.communicate()
        except BaseException:
            end(process)
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def end(process: subprocess.Popen[str]) -> None:
    """End a comparison in good order, else by force."""
    process.send_signal(signal.SIGTERM)
    try:
        process.communicate(timeout=GRACE)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def last_line(found: subprocess.CompletedProcess[str]) -> str:
    """Return what a command said last."""
    lines = [line for line in found.stderr.splitlines() if line.strip()]
    return lines[-1].removeprefix("opperf: ") if lines else ""
