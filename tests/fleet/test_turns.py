"""A fleet's job and local runs take turns on a machine."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from opperf.core.machine.turns import OF_FLEET, local_turn, open_turns, try_alone, turns_path

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 120.0


@pytest.fixture
def turn() -> Iterator[int]:
    """Return a descriptor as a worker has it."""
    descriptor = open_turns()
    assert descriptor is not None
    yield descriptor
    os.close(descriptor)


def nobody_hears(line: str) -> None:
    """Fail: nothing is to be waited for."""
    raise AssertionError(line)


def test_local_runs_share_and_the_worker_is_alone(turn: int) -> None:
    """It waits for all of them."""
    with local_turn(nobody_hears, {}), local_turn(nobody_hears, {}):
        assert not try_alone(turn)
    assert try_alone(turn)


def test_a_local_run_waits_for_the_fleets_job(turn: int) -> None:
    """And says so; it begins when the job has ended."""
    assert try_alone(turn)
    said, began = threading.Event(), threading.Event()
    lines: list[str] = []

    def hear(line: str) -> None:
        lines.append(line)
        said.set()

    def run() -> None:
        with local_turn(hear, {}):
            began.set()

    running = threading.Thread(target=run, daemon=True)
    running.start()
    assert said.wait(PATIENCE)
    assert not began.is_set()
    other = open_turns()
    assert other is not None
    os.close(other)  # closing another descriptor lets go of nothing
    assert not began.is_set()
    from fcntl import LOCK_UN, flock

    flock(turn, LOCK_UN)
    assert began.wait(PATIENCE)
    running.join()
    assert lines == ["waiting for the fleet's job that is measured on this machine"]


def test_the_fleets_own_job_has_the_workers_turn(turn: int) -> None:
    """Else it would wait for itself."""
    assert try_alone(turn)
    with local_turn(nobody_hears, {OF_FLEET: "7"}):
        pass


def test_a_link_in_the_way_is_not_followed(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Anybody may put one into /tmp; runs go on without a turn."""
    target = tmp_path_factory.mktemp("elsewhere") / "precious"
    turns_path().unlink(missing_ok=True)
    turns_path().symlink_to(target)
    try:
        assert open_turns() is None
        with local_turn(nobody_hears, {}):
            pass
    finally:
        turns_path().unlink()
    assert not target.exists()
