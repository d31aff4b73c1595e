"""The control of a commit: what it is compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opperf.commits.repository.commit import BranchHistory, Commit


def control_of(commit: Commit, history: BranchHistory, base: Commit | None = None) -> Commit | None:
    """Return the control of a commit: the later of the base commit and the first of its week.

    The first commit of a week has the control of the commit before it; compared with itself, what
    it made slower would never be found.

    Args:
        commit: one of the history.
        history: the commits of the branch.
        base: the one that is asked for, None for none.

    Returns:
        None for a commit that is the base itself, or before which there is none.
    """
    if base is not None and commit.hash == base.hash:
        return None
    weekly = history.first_of_week(commit)
    control = weekly if base is None or is_later(weekly, base, history) else base
    if control.hash != commit.hash:
        return control
    before = history.before(commit)
    if before is None:
        return None
    return control_of(before, history, base) or before


def is_later(one: Commit, other: Commit, history: BranchHistory) -> bool:
    """Return whether a commit comes after another: in the branch, or by its date."""
    if one in history and other in history:
        return history.positions[one.hash] >= history.positions[other.hash]
    return one.time >= other.time


def after(control: Commit, commit: Commit, history: BranchHistory) -> list[Commit]:
    """Return what may stand in for a control that does not build: the commits up to another."""
    end = history.positions[commit.hash]
    begin = history.positions.get(control.hash, end) + 1
    return [*history.commits[begin:end]]
