"""A commit of a repository, and the commits of a branch in order."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SHORT = 12


@dataclass(frozen=True)
class Commit:
    """A commit: its full hash, when it was committed (seconds since 1970), and its first line."""

    hash: str
    time: int
    title: str

    @property
    def short(self) -> str:
        """As many digits of the hash as people read."""
        return self.hash[:SHORT]

    def __str__(self) -> str:
        """Return how a line of text names it."""
        return f"{self.short} ({self.title})" if self.title else self.short


@dataclass(frozen=True)
class BranchHistory:
    """The commits of a branch, the oldest first.

    `is_cut` says that the repository is shallow and may have had more before the first one.
    """

    commits: Sequence[Commit]
    is_cut: bool = False

    @cached_property
    def positions(self) -> dict[str, int]:
        """Where each commit stands, by its hash."""
        return {commit.hash: at for at, commit in enumerate(self.commits)}

    def __contains__(self, commit: Commit) -> bool:
        """Return whether a commit is of this branch."""
        return commit.hash in self.positions

    def before(self, commit: Commit) -> Commit | None:
        """Return the commit before one, None for the first."""
        at = self.positions[commit.hash]
        return self.commits[at - 1] if at else None

    def first_of_week(self, commit: Commit) -> Commit:
        """Return the first commit of the week that a commit is of: from Monday 00:00 UTC on.

        Dates may run backward, where a clock was wrong or commits were moved: the first in order
        that has a date of that week or a later one is taken, at the latest the commit itself.
        """
        monday = week_of(commit.time)
        upto = self.commits[: self.positions[commit.hash] + 1]
        return next(one for one in upto if one.time >= monday)


def week_of(time: int) -> int:
    """Return when the week of a moment began: Monday 00:00 UTC, in seconds since 1970."""
    moment = datetime.fromtimestamp(time, timezone.utc)
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return int((midnight - timedelta(days=moment.weekday())).timestamp())
