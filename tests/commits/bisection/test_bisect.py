"""`opperf bisect` in a real repository, whose package has an operator of its own."""

from __future__ import annotations

import json
import os
import shlex
import signal
import time
from typing import TYPE_CHECKING, Any

import pytest

from opperf.commits.bisection.state import STEPS
from tests.docs.commands import ROOT, typed_in

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 400
COMMITS, SLOWER, BROKEN = 6, 4, 2
FEW, MANY = 25, 27
"""Milliseconds before and after the step of 8 %."""
MODULE = '''\
import time

import numpy as np
from opperf.declaring.elementwise import Unary


def squash(data):
    time.sleep({rounds} / 1000)  # work, for a machine that others use as well
    return np.tanh(data)


def crush(data):
    time.sleep({many} / 1000)
    return np.tanh(data)


class Squash(Unary):
    """The hyperbolic tangent, taking its time."""

    category = "squashing"
    reference = staticmethod(squash)


class Crush(Unary):
    """The same, twice as slow from the step on."""

    category = "squashing"
    reference = staticmethod(crush)


TABLES = {{}}
{rest}
'''
ENTRY = (
    '        wheel.writestr(f"{about}/entry_points.txt", "[opperf.operators]\\ntiny = tiny\\n")\n'
)


@pytest.fixture
def slowing(source: Any) -> Any:
    """Return a repository with an operator that is 8 % slower from one commit on.

    Of another it is plain to see, for git gets an answer to each question or none.

    Another commit cannot be imported.
    """
    backend = source.path / "backend.py"
    text = backend.read_text()
    place = text.index('        wheel.writestr(f"{about}/RECORD"')
    backend.write_text(text[:place] + ENTRY + text[place:])
    for at in range(COMMITS):
        rounds, many = (MANY, 2 * FEW) if at >= SLOWER else (FEW, FEW)
        rest = "(" if at == BROKEN else f"STATE = {at}"
        title = f"Squash in {rounds} rounds" if at == SLOWER else f"Note {at}"
        source.commit(MODULE.format(rounds=rounds, many=many, rest=rest), title=title)
        source.git("tag", f"c{at + 1}")
    source.git("tag", "c32", f"c{COMMITS}")  # as the document has it
    return source


def words_of(source: Any, *others: str) -> list[str]:
    """Return the first command of docs/bisect.md, and where repository and state are."""
    document = ROOT / "docs/bisect.md"
    command = next(typed_in(document.read_text(encoding="utf-8")))
    _, *words = shlex.split(command)
    return [*words, "--repo", str(source.path), "--state", "state", "--wait", *others]


def steps_in(folder: Path) -> bytes:
    """Return the steps that are kept."""
    path = folder / "state" / STEPS
    return path.read_bytes() if path.exists() else b""


def test_a_commit_is_found_by_real_sessions_and_kill_9_is_survived(
    slowing: Any, opperf: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed in the middle, resumed, and then once more led by `git bisect run`."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(opperf.directory / "cache"))
    process = opperf.start(*words_of(slowing))
    deadline = time.monotonic() + PATIENCE
    while steps_in(opperf.directory).count(b"\n") < 2 and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    opperf.wait_for(lambda: not opperf.survivors())
    before = steps_in(opperf.directory)
    assert before.count(b"\n") >= 2

    again = opperf.run(*words_of(slowing))
    assert again.returncode == 2
    assert "--resume" in again.stderr

    resumed = opperf.start("bisect", "--resume", "--state", "state", "--wait")
    out, said = resumed.communicate(timeout=PATIENCE)
    assert resumed.returncode == 0, said
    assert f"(Squash in {MANY} rounds), probability " in out
    assert steps_in(opperf.directory).startswith(before[: before.rfind(b"\n") + 1])
    assert "left out" in said
    answer = json.loads((opperf.directory / "state" / "answer.json").read_text())
    assert answer["kind"] == "named"
    assert answer["found"]["candidates"] == [slowing.git("rev-parse", f"c{SLOWER + 1}")]

    slowing.git("bisect", "start", "c32", "c1")
    words = [word.replace("Squash", "Crush") for word in words_of(slowing, "--step")]
    command = opperf.command(*words, "--state", "steps")
    led = opperf.execute(
        ["git", "-C", str(slowing.path), "bisect", "run", "sh", "-c",
         f"cd '{opperf.directory}' && exec \"$@\"", "sh", *command],
        GIT_CONFIG_GLOBAL=os.devnull,
    )  # fmt: skip
    assert led.returncode == 0, led.stdout + led.stderr
    first_bad = slowing.git("rev-parse", "refs/bisect/bad")
    assert first_bad == slowing.git("rev-parse", f"c{SLOWER + 1}")
