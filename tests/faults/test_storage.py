"""Runs whose disk fills up, and whose output nobody takes."""

from __future__ import annotations

import resource
import shlex
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import PATIENCE, told

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

QUICK = ("--framework", "toy", "--size", "all", "--runs", "6", "--warmup", "0")
RUN = ("run", "-k", "name in (Double, Fragile)", *QUICK)
ROWS = 4 * (4 + 1)
"""A differentiable operator and one that is not, in four sizes."""
SHORT = ("run", "-k", "name in (Double, Liar)", *QUICK, "--size", "small")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a file system with room for some records, where that is allowed."""
    disk = tmp_path / "runs"
    disk.mkdir()
    mount, unmount = shutil.which("mount"), shutil.which("umount")
    if mount is None or unmount is None:
        pytest.skip("mounting a file system is not possible here")
    try:
        command = [mount, "-t", "tmpfs", "-o", "size=256k", "opperf-test", disk]
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("mounting a file system is not allowed here")
    yield disk
    subprocess.run([unmount, "-l", disk], check=True)


def is_whole(toy: Any) -> bool:
    """Return whether the journal holds nothing but complete records, each once."""
    return bool(toy.journal().endswith(b"\n")) and len(toy.rows()) == len(set(toy.rows()))


def test_a_full_disk_ends_a_run_that_resume_completes(toy: Any, small_disk: Path) -> None:
    """One line says what to do; what was stored stays, and nothing is torn or doubled."""
    filler = small_disk / "filler"
    filler.write_bytes(bytes(216 * 1024))
    run = toy.run(*RUN, "--quiet")
    assert run.returncode == 1
    (line,) = told(run.stderr)
    assert "No space left on device; free space, then `opperf resume" in line
    assert is_whole(toy)
    stored = toy.records()
    assert 0 < len(stored) < ROWS
    toy.wait_for(lambda: not toy.survivors())
    filler.unlink()
    assert toy.run("resume", "last").returncode == 0
    assert toy.records()[: len(stored)] == stored
    assert is_whole(toy)
    assert len(toy.records()) == ROWS


def limit_files() -> None:
    """Let no file of this process grow beyond a few records."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))


def test_a_file_that_may_not_grow_ends_a_run_the_same_way(toy: Any) -> None:
    """A limit on files is met like a full disk, which takes no mounting."""
    process = toy.start(*RUN, "--quiet", preexec_fn=limit_files)
    _, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    (line,) = told(stderr)
    assert "File too large; free space, then `opperf resume" in line
    assert is_whole(toy)
    assert 0 < len(toy.records()) < ROWS
    assert toy.run("resume", "last").returncode == 0
    assert is_whole(toy)
    assert len(toy.records()) == ROWS


@pytest.mark.parametrize(
    "redirection",
    [
        "| head -1",
        "2>&1 | head -1",
        "| true",
        "2>&-",
        ">&-",
        "<&- >&- 2>&-",
        "2> /dev/full",
    ],
)
def test_a_run_needs_nobody_who_listens(toy: Any, redirection: str) -> None:
    """Into a closed pipe or no stream at all, every row is measured, and the exit code is right."""
    command = shlex.join(toy.command(*SHORT))
    script = f"set -o pipefail; {command} {redirection}"
    run = toy.execute(["bash", "-c", script])
    assert run.returncode == 11
    assert len(toy.records()) == 5
    assert is_whole(toy)
    assert "Traceback" not in run.stdout + run.stderr
    assert "Exception" not in run.stdout + run.stderr


def test_a_table_that_cannot_be_written_is_one_line(toy: Any) -> None:
    """Where stdout is a full disk, the results are stored and the error says so."""
    command = shlex.join(toy.command(*SHORT, "--quiet"))
    run = toy.execute(["bash", "-c", f"{command} > /dev/full"])
    assert run.returncode == 1
    (line,) = told(run.stderr)
    assert "No space left on device" in line
    assert len(toy.records()) == 5


def test_a_list_may_be_read_in_part(opperf: Any) -> None:
    """``opperf list | head -1`` is no failure."""
    command = shlex.join(opperf.command("list", "--format", "json"))
    run = opperf.execute(["bash", "-c", f"set -o pipefail; {command} | head -1"])
    assert (run.returncode, run.stderr) == (0, "")
