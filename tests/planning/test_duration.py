"""How long a plan takes."""

from __future__ import annotations

from opperf.core.configuration.settings import Settings
from opperf.planning.due import job_of_task
from opperf.planning.duration import LOADING, SHARE, TYPICAL, estimate, row_seconds
from opperf.planning.task import Task

TASK = Task(
    operator="Add",
    framework="pytorch",
    rows=(("only", "forward"), ("only", "backward")),
    settings=Settings(budget=0.5),
)


def test_typical_times_grow_with_the_budget() -> None:
    """What is no sample stays; nothing is sampled where outputs are checked only."""
    fixed = TYPICAL["forward"][1]
    assert row_seconds(TASK, "forward") == fixed + SHARE * 0.5
    assert row_seconds(TASK, "forward", check_only=True) == fixed
    found = estimate([TASK], {})
    assert (found.rows, found.remembered) == (2, 0)
    assert found.seconds > LOADING + 2 * SHARE * 0.5


def test_what_was_measured_before_takes_as_long_again() -> None:
    """The others take what is typical."""
    past = {(*job_of_task(TASK), "only", "forward"): 40.0}
    found = estimate([TASK], past)
    assert found.remembered == 1
    assert found.seconds == LOADING + 40.0 + row_seconds(TASK, "backward")
