"""The driver: every commit of a branch built, compared with its control and reported, once each."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from time import time
from typing import TYPE_CHECKING

from opperf.commits.building.room import NoRoomError
from opperf.commits.following.comparison import compare_builds
from opperf.commits.following.control import after, control_of
from opperf.commits.following.event import OUTCOME, REPORTED, SENT
from opperf.commits.following.outcome import (
    FAILED,
    FIRST,
    NOTHING,
    UNBUILT,
    CommitOutcome,
    state_of,
)
from opperf.core.disk import write_whole
from opperf.core.errors import UsageError, quote_path

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from opperf.commits.building.build import Build
    from opperf.commits.building.builder import Builder
    from opperf.commits.following.journal import FollowJournal
    from opperf.commits.following.queue import Queue
    from opperf.commits.repository.commit import BranchHistory, Commit


@dataclass(frozen=True)
class FollowedPlatform:
    """Where commits are built and measured.

    Args:
        name: what reports call it.
        builder: what builds commits for it.
        words: what `opperf ab` is told.
        settings: variables of the measuring processes, as NAME=value.
    """

    name: str
    builder: Builder
    words: Sequence[str]
    settings: Sequence[str] = ()


class ReportError(UsageError):
    """A report that cannot be made now."""


@dataclass(frozen=True)
class Report:
    """One report of an outcome: its key, which no other has, and what makes it."""

    key: str
    send: Callable[[], None]


@dataclass
class Driver:
    """What follows a branch.

    Args:
        queue: the commits that are due.
        platforms: where each is measured.
        journal: what was done so far.
        folder: where comparisons are kept.
        base: the base commit, None for the first of each week.
        reports: returns the reports that an outcome makes.
        commit_file: where the hash of the last commit that was finished is kept, None for nowhere.
        status_file: the file whose content "0" ends it after the commit in hand.
        again: whether builds that failed are tried once more.
        show: is given each outcome.
    """

    queue: Queue
    platforms: Sequence[FollowedPlatform]
    journal: FollowJournal
    folder: Path
    reports: Callable[[CommitOutcome], Sequence[Report]]
    show: Callable[[CommitOutcome], None]
    base: Commit | None = None
    commit_file: Path | None = None
    status_file: Path | None = None
    again: bool = False
    done: list[CommitOutcome] = field(default_factory=list, init=False)
    """What came of each commit that it has reported, whatever ended it then."""
    tried: set[Path] = field(default_factory=set, init=False)

    def follow(self) -> None:
        """Process all commits that are due.

        Raises:
            UsageError: what is asked for is wrong, or the disk is full: the commit stays due.
        """
        self.keep_last()
        history = self.queue.history()
        for commit in self.queue.due(history, [platform.name for platform in self.platforms]):
            if self.is_to_stop:
                break
            self.process(commit, history)

    @property
    def is_to_stop(self) -> bool:
        """Whether the status file says 0."""
        if self.status_file is None:
            return False
        try:
            return self.status_file.read_text(encoding="utf-8", errors="replace").strip() == "0"
        except OSError:
            return False

    def process(self, commit: Commit, history: BranchHistory) -> None:
        """Measure and report a commit on each platform, as far as that is not done."""
        progress = self.journal.progress
        for platform in self.platforms:
            key = (commit.hash, platform.name)
            if key in progress.reported:
                continue
            if key not in progress.outcomes:
                outcome = self.outcome(commit, history, platform)
                self.journal.write(OUTCOME, outcome=outcome.to_mapping())
            outcome = progress.outcomes[key]
            self.report(outcome)
            self.journal.write(REPORTED, commit=commit.hash, platform=platform.name)
            self.done.append(outcome)
            self.show(outcome)
        self.keep_last()

    def report(self, outcome: CommitOutcome) -> None:
        """Make the reports of an outcome that were not made yet."""
        for report in self.reports(outcome):
            if report.key not in self.journal.progress.sent:
                report.send()
                names = {"commit": outcome.commit, "platform": outcome.platform}
                self.journal.write(SENT, **names, key=report.key)

    def keep_last(self) -> None:
        """Write the last commit that is finished into its file.

        Raises:
            NoRoomError: it cannot be, as on a full disk; the next round does.
        """
        last = self.queue.last_finished([platform.name for platform in self.platforms])
        if self.commit_file is None or last is None:
            return
        try:
            write_whole(self.commit_file, f"{last}\n".encode())
        except OSError as error:
            raise NoRoomError(
                f"cannot write {quote_path(self.commit_file)}: {error.strerror}; nothing is lost: "
                "give the same command once it can be written"
            ) from error

    def outcome(
        self, commit: Commit, history: BranchHistory, platform: FollowedPlatform
    ) -> CommitOutcome:
        """Build a commit and its control, compare them, and return what came of it."""
        found = CommitOutcome(
            commit=commit.hash,
            commit_time=commit.time,
            title=commit.title,
            platform=platform.name,
            time=time(),
        )
        treatment = self.provide(platform.builder, commit)
        if not treatment.works:
            return replace(found, state=UNBUILT, reason=treatment.reason)
        control = control_of(commit, history, self.base)
        if control is None:
            return replace(found, state=FIRST, reason="there is no control before it")
        chosen = self.built_control(control, commit, history, platform.builder)
        if chosen is None:
            reason = f"no control: neither {control} nor a later commit before it builds"
            return replace(found, state=FAILED, reason=reason)
        control, build = chosen
        found = replace(found, control=control.hash, control_time=control.time)
        folder = self.folder / f"{commit.short}-{control.short}-{platform.name}"
        compared = compare_builds(build, treatment, platform.words, folder, platform.settings)
        run = None if compared.run is None else str(compared.run)
        if not compared.rows:
            state = NOTHING if compared.is_empty else FAILED
            return replace(found, state=state, reason=compared.reason, run=run)
        state, worse = state_of(compared.rows)
        return replace(found, state=state, worse=worse, rows=tuple(compared.rows), run=run)

    def built_control(
        self, control: Commit, commit: Commit, history: BranchHistory, builder: Builder
    ) -> tuple[Commit, Build] | None:
        """Return the control, or the first commit after it that builds; None where none does."""
        for each in (control, *after(control, commit, history)):
            build = self.provide(builder, each)
            if build.works:
                return each, build
        return None

    def provide(self, builder: Builder, commit: Commit) -> Build:
        """Return the build of a commit; one that failed is tried again once where that is asked."""
        path = builder.path_of(commit)
        again = self.again and path not in self.tried
        self.tried.add(path)
        return builder.provide(commit, again=again)
