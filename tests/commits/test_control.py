"""The control of a commit: the later of the base commit and the first of its week, in UTC."""

from __future__ import annotations

import pytest

from opperf.commits.following.control import after, control_of
from opperf.commits.repository.commit import BranchHistory, Commit, week_of
from tests.commits.conftest import DAY, NOON

MONDAY = week_of(NOON)
TIMES = {
    "friday": MONDAY - 3 * DAY, "sunday": MONDAY - 1, "monday": MONDAY, "tuesday": MONDAY + DAY,
    "wednesday": MONDAY + 2 * DAY,
}  # fmt: skip
HISTORY = BranchHistory([Commit(name, time, "") for name, time in TIMES.items()])
BY_NAME = {commit.hash: commit for commit in HISTORY.commits}


@pytest.mark.parametrize(
    ("name", "base", "control"),
    [
        ("wednesday", None, "monday"),
        ("tuesday", None, "monday"),
        ("wednesday", "friday", "monday"),
        ("wednesday", "sunday", "monday"),
        ("wednesday", "monday", "monday"),
        ("wednesday", "tuesday", "tuesday"),
        ("sunday", None, "friday"),
        ("monday", None, "friday"),
        ("friday", None, None),
        ("tuesday", "tuesday", None),
        ("monday", "sunday", "sunday"),
    ],
)
def test_it_is_the_later_of_base_and_week(name: str, base: str | None, control: str | None) -> None:
    """The first commit of a week has the control of the week before: it, too, may be slower."""
    found = control_of(BY_NAME[name], HISTORY, BY_NAME[base] if base else None)
    assert (found.hash if found else None) == control


def test_a_base_of_another_branch_counts_by_its_date() -> None:
    """It has no place in the order."""
    late = Commit("elsewhere", MONDAY + DAY, "")
    early = Commit("elsewhere", MONDAY - DAY, "")
    assert control_of(BY_NAME["wednesday"], HISTORY, late) == late
    assert control_of(BY_NAME["wednesday"], HISTORY, early) == BY_NAME["monday"]


def test_what_stands_in_for_a_control_lies_between() -> None:
    """After the control and before the commit."""
    found = after(BY_NAME["sunday"], BY_NAME["wednesday"], HISTORY)
    assert [commit.hash for commit in found] == ["monday", "tuesday"]
    assert after(Commit("elsewhere", 0, ""), BY_NAME["sunday"], HISTORY) == []
