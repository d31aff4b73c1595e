"""The queue: which commits of a branch are due, whatever has become of the branch meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.commits.following.control import control_of
from opperf.commits.following.event import GONE, REWRITTEN, START, TIP
from opperf.commits.repository.commit import SHORT
from opperf.commits.repository.git_repository import BranchGoneError
from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.commits.following.journal import FollowJournal
    from opperf.commits.repository.commit import BranchHistory, Commit
    from opperf.commits.repository.git_repository import GitRepository


@dataclass(frozen=True)
class Start:
    """Where a queue begins: after a commit, or with it."""

    commit: Commit
    included: bool


@dataclass(frozen=True)
class Queue:
    """The commits of a branch that are due.

    Args:
        repository: whose branch it is.
        branch: its name.
        remote: the remote that it is fetched from, None for the repository's own branch.
        journal: what was done so far.
        tell: is told of what happened to the branch.
        every: whether the commits of merged branches are due as well.
        asked: where it begins, None for the control of the newest commit.
        base: the base commit, None for the first of each week.
        only: whether the commit that it begins with is the only one that is due.
    """

    repository: GitRepository
    branch: str
    remote: str | None
    journal: FollowJournal
    tell: Callable[[str], None]
    every: bool = False
    asked: Start | None = None
    base: Commit | None = None
    only: bool = False

    def history(self) -> BranchHistory:
        """Return the commits of the branch as it is now, and note what happened to it.

        Raises:
            UsageError: the branch is not there, and never was.
        """
        newest = self.newest()
        known = self.journal.progress.tip
        if known is not None and known != newest.hash:
            self.note_rewriting(known, newest)
        if known != newest.hash:
            self.journal.write(TIP, commit=newest.hash)
        return self.repository.history(newest, every=self.every)

    def last(self) -> Commit:
        """Return the last commit that may be due now.

        Raises:
            UsageError: the branch is not there, or its remote cannot be reached.
        """
        if self.only and self.asked is not None:
            return self.asked.commit
        return self.tip()

    def tip(self) -> Commit:
        """Return the newest commit of the branch.

        Raises:
            BranchGoneError: it is not there.
            RemoteError: its remote cannot be reached.
        """
        if self.remote is None:
            return self.repository.newest(self.branch)
        return self.repository.fetch(self.remote, self.branch)

    def newest(self) -> Commit:
        """Return the newest commit of the branch; of one that is gone the last that was seen."""
        try:
            return self.tip()
        except BranchGoneError as error:
            known = self.journal.progress.tip
            if known is None:
                raise
            if not self.journal.progress.gone:
                self.journal.write(GONE, branch=self.branch)
            last = self.repository.commit(known)
            self.tell(f"{error}; going on with the commits up to {last}, the last that was seen")
            return last

    def note_rewriting(self, tip: str, newest: Commit) -> None:
        """Note and tell that the branch was rewritten, if it was.

        Args:
            tip: the hash of what was its newest commit, which git may have removed meanwhile.
            newest: what is now.
        """
        before = self.repository.find(tip)
        common = self.repository.common(before, newest) if before else None
        if common is not None and common.hash == tip:
            return
        self.journal.write(
            REWRITTEN, commit=tip, tip=newest.hash, common=common.hash if common else None
        )
        where = f"they part after {common}" if common else "no commit is known in common"
        self.tell(
            f"branch {self.branch} was rewritten: {before or tip[:SHORT]} is no longer in it, "
            f"{where}; "
            "its new commits are due"
        )

    def due(self, history: BranchHistory, platforms: Sequence[str]) -> list[Commit]:
        """Return the commits that are due, the oldest first.

        Raises:
            UsageError: the commit that the queue begins with is cut off or not of this branch.
        """
        start = self.start(history)
        if self.only:
            found = [start.commit]
        else:
            later = self.repository.hashes_between(start.commit, history.commits[-1])
            chosen = {*later, *([start.commit.hash] if start.included else [])}
            found = [commit for commit in history.commits if commit.hash in chosen]
        reported = self.journal.progress.reported
        return [
            commit
            for commit in found
            if any((commit.hash, platform) not in reported for platform in platforms)
        ]

    def start(self, history: BranchHistory) -> Start:
        """Return where the queue begins: as it is asked for, as it did before, or with the week."""
        if self.asked is not None:
            return self.asked
        begun = self.journal.progress.start
        # One that was rewritten, and removed by git, is gone: what was reported stays reported.
        if begun is not None and (first := self.repository.find(begun[0])):
            return Start(first, included=begun[1])
        newest = history.commits[-1]
        first = control_of(newest, history, self.base) or newest
        if history.is_cut and first.hash == history.commits[0].hash:
            raise UsageError(
                f"the first commit of the week may have been cut off: {self.repository.remedy}, "
                "or give --base_commit"
            )
        self.journal.write(START, commit=first.hash, included=True)
        return Start(first, included=True)

    def last_finished(self, platforms: Sequence[str]) -> str | None:
        """Return the last commit of which all was reported on all platforms."""
        reported = self.journal.progress.reported
        commits = [commit for commit, platform in reported if platform == platforms[-1]]
        whole = (
            commit
            for commit in reversed(commits)
            if all((commit, platform) in reported for platform in platforms)
        )
        return next(whole, None)
