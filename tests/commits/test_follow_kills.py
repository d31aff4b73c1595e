"""A driver that is killed between any two steps: the next goes on, and nothing is done twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

import psutil

from opperf.cli import main
from opperf.commits.following import driver
from opperf.commits.following.comparison import BuildComparison
from opperf.commits.following.journal import NAME
from tests.commits.conftest import UNDECIDED
from tests.conftest import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path
    from types import FrameType

    import pytest

    from tests.commits.conftest import Source

KILLS = 20
STEPS = 700
"""Calls of functions up to which a driver is killed; a build takes some 300."""
ACTING = tuple(f"/opperf/{room}" for room in ("commits/", "specs/", "fetching/", "core/disk.py"))
"""Where the code lies that builds, writes, reports and asks git."""
STARTED, RUNNING, MEASURING, MEASURED = "started", "running", "measuring", "measured"
"""The process of a comparison is there, its run's folder is, that of an arm is, a pair is kept."""
QUICK = """\
set -e
about=$(echo "$VIRTUAL_ENV"/lib/python*/site-packages)/tiny-1.0.dist-info
mkdir "$about"
printf 'Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n' > "$about/METADATA"
"""
"""A build of nothing: it is not measured here."""


def compare(*_: object) -> BuildComparison:
    """Return the outcome of a comparison at once."""
    return BuildComparison([UNDECIDED], None, None)


def follow_and_die(words: list[str], steps: int) -> int:
    """Follow in a process of its own that is killed at a call; return how that ended."""
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    left = steps

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal left
        if event == "call" and any(room in frame.f_code.co_filename for room in ACTING):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(count)
    code = main(words)
    sys.setprofile(None)
    os._exit(code)


def test_each_commit_is_reported_once_whenever_the_driver_is_killed(
    source: Source, frameworks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty kills at random calls, in as many rounds of three commits as that takes."""
    monkeypatch.setattr(driver, "compare_builds", compare)
    (frameworks / "tiny" / "cpu" / "build.sh").write_text(QUICK)
    made = [source.commit() for _ in range(3)]
    coin = Random(27)  # noqa: S311 - no secret
    kills = rounds = 0
    assert main(["follow", str(source.path), "--interval", "0"]) == 2  # imports what each would
    while kills < KILLS:
        rounds += 1
        folder, last = tmp_path / f"exec{rounds}", tmp_path / f"last{rounds}"
        words = [
            "follow", str(source.path), "--exec_dir", str(folder), "--frameworks_dir",
            str(frameworks), "--framework", "tiny", "--commit_file", str(last), "--quiet",
            "--local_reporter", str(tmp_path / f"tree{rounds}"),
        ]  # fmt: skip
        while (ended := follow_and_die(words, coin.randint(1, STEPS))) == -signal.SIGKILL:
            kills += 1
        assert ended == 0
        (path,) = folder.glob(f"follow/*/{NAME}")
        events = [json.loads(line) for line in path.read_text().splitlines()]
        reported = [event["commit"] for event in events if event["kind"] == "reported"]
        assert reported == made
        assert last.read_text().strip() == made[-1]
        tree = (tmp_path / f"tree{rounds}").glob("**/meta.json")
        assert sorted(path.parts[-3:-1] for path in tree) == sorted((name, "0") for name in made)
        assert len([*folder.glob("builds/*/build.json")]) == len(made)


def test_a_comparison_goes_on_however_often_it_is_killed(
    source: Source, frameworks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was measured stays measured, and what measured has ended with the driver.

    The real comparison is killed at stages of it that are drawn, each of them twice but for the
    last, which there is once for each session.
    """
    monkeypatch.setenv("OPPERF_FRAMEWORK", "numpy")
    made = [source.commit() for _ in range(2)]
    folder = tmp_path / "exec"
    words = [
        "follow", str(source.path), "--exec_dir", str(folder), "--frameworks_dir", str(frameworks),
        "--framework", "tiny", "--quiet", "-k", "Twice", "--size", "small", "--sessions", "2",
        "--most-sessions", "2",
    ]  # fmt: skip
    command = [sys.executable, "-m", "opperf", *words]
    stages = [STARTED, RUNNING, MEASURING] * 2 + [MEASURED]
    Random(27).shuffle(stages)  # noqa: S311 - no secret
    kills = sum(follow_and_be_killed(command, folder, stage) for stage in stages)
    assert kills
    before = pairs_in(folder)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = pairs_in(folder)
    assert after[: len(before)] == before
    assert len([*folder.glob("follow/*/runs/*/*/run.json")]) == 1
    compared = [pair for pair in after if json.loads(pair)["purpose"] == "comparison"]
    assert len(compared) == 2
    (path,) = folder.glob(f"follow/*/{NAME}")
    events = [json.loads(line) for line in path.read_text().splitlines()]
    assert [event["commit"] for event in events if event["kind"] == "reported"] == made


def follow_and_be_killed(command: list[str], folder: Path, stage: str) -> bool:
    """Follow until a stage of the comparison, and kill the driver; return whether it was killed.

    It is not where it has ended before, as on a machine on which this process waits for its turn.
    """
    before = pairs_in(folder)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        driver = psutil.Process(process.pid)
        while process.poll() is None and not is_reached(stage, driver, folder, len(before)):
            time.sleep(0.01)
        started: list[psutil.Process] = []
        with suppress(psutil.NoSuchProcess):
            started = driver.children(recursive=True)
        process.kill()
    _, alive = psutil.wait_procs(started, timeout=PATIENCE)
    assert alive == []
    assert pairs_in(folder)[: len(before)] == before
    return process.returncode == -signal.SIGKILL


def is_reached(stage: str, driver: psutil.Process, folder: Path, pairs: int) -> bool:
    """Return whether a comparison is at a stage, or beyond."""
    commands = []
    for child in driver.children(recursive=True):
        with suppress(psutil.Error):
            commands.append(" ".join(child.cmdline()))
    if stage == STARTED:
        return any("opperf.__main__" in each for each in commands)
    if stage == RUNNING:
        return bool([*folder.glob("follow/*/runs/*/*/run.json")])
    if stage == MEASURING:
        return any("opperf.measuring" in each for each in commands)
    return len(pairs_in(folder)) > pairs


def pairs_in(folder: Path) -> list[str]:
    """Return the records of the only comparison, whole lines only."""
    found = [path.read_text() for path in folder.glob("follow/*/runs/*/*/results.jsonl")]
    return [line for text in found for line in text.splitlines(keepends=True) if line[-1] == "\n"]
