"""Follow a repository: build each commit, compare it with a control, report it once."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.commits.follow_flags import (
    add_measuring,
    add_repository,
    device_words,
    is_only,
    measuring_words,
    platforms_of,
    seconds_of,
    start_of,
)
from opperf.cli.commits.follow_output import outcome_line, reports_of
from opperf.cli.commits.follow_words import refuse_frameworks
from opperf.cli.common.exit_codes import FAILED, FINE, INTERRUPTED
from opperf.cli.common.messages import leaving_early, say, teller
from opperf.cli.common.options import refuse_half_characters
from opperf.cli.running.interrupt import terminable
from opperf.cli.specs.asked import libraries_of, library_path
from opperf.cli.specs.reporters import add_reporter_options
from opperf.commits.building.builder import Builder, builds_folder
from opperf.commits.building.recipe import Recipe, recipe_of
from opperf.commits.building.room import NoRoomError
from opperf.commits.following.driver import Driver, FollowedPlatform, ReportError
from opperf.commits.following.journal import FollowJournal, only_driver
from opperf.commits.following.outcome import FAILED as UNMEASURED
from opperf.commits.following.outcome import REGRESSED, UNBUILT, CommitOutcome
from opperf.commits.following.queue import Queue
from opperf.commits.repository.git_repository import GitRepository, RemoteError
from opperf.core.environment.folders import user_state
from opperf.core.errors import UsageError
from opperf.core.results.identity import digest

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

REGRESSION, GONE = 10, 2
GIT, ORIGIN = "git", "origin"
LOOK = 0.5
"""Seconds between two looks at the status file while nothing is due."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    add_repository(parser)
    add_measuring(parser)
    add_reporter_options(parser)


def execute(arguments: Namespace) -> int:
    """Follow the branch: once through all commits that are due, or again and again."""
    refuse_half_characters(arguments.given)
    if arguments.repo != GIT:
        raise UsageError(f"--repo {arguments.repo}: git is the only one that is known")
    repository = GitRepository.open(repository_path(arguments))
    branch = repository.branch(arguments.branch)
    remote = remote_of(repository, arguments.remote_repository)
    words = measuring_words(arguments)
    interval = seconds_of(arguments.interval)
    names = platforms_of(arguments)
    settings = library_path(libraries_of(arguments))
    followed = [str(repository.folder), remote, branch, names, words, *filter(None, [settings])]
    folder = state_folder(arguments) / f"{repository.path.name}-{digest(followed)}"
    tell = teller(quiet=arguments.quiet)
    reports = reports_of(arguments)
    with terminable(), only_driver(folder):
        journal = FollowJournal(folder)
        base = repository.commit(arguments.base_commit) if arguments.base_commit else None
        queue = Queue(
            repository=repository,
            branch=branch,
            remote=remote,
            journal=journal,
            tell=tell,
            every=arguments.all_commits,
            asked=start_of(arguments, repository),
            base=base,
            only=is_only(arguments),
        )
        platforms = [platform_of(name, repository, arguments, words, settings) for name in names]
        refuse_frameworks(words, queue, platforms)
        driver = Driver(
            queue=queue,
            platforms=platforms,
            journal=journal,
            folder=folder / "runs",
            reports=reports,
            show=show,
            base=base,
            commit_file=Path(arguments.commit_file) if arguments.commit_file else None,
            status_file=Path(arguments.status_file) if arguments.status_file else None,
            again=arguments.retry_failed,
        )
        return rounds(driver, interval)


def rounds(driver: Driver, interval: float | None) -> int:
    """Follow once, or every so many seconds until the status file or a signal says to end."""
    try:
        while True:
            began = time.monotonic()
            try:
                driver.follow()
            except (NoRoomError, RemoteError, ReportError) as error:
                if interval is None:
                    raise
                say(f"{error}; trying again in {interval:g} s")
            if driver.is_to_stop:
                say(f"{driver.status_file} says 0: ended")
            if interval is None or wait(driver, began + interval):
                return exit_code(driver)
    except KeyboardInterrupt:
        say("interrupted; the same command goes on with the commit in hand")
        return INTERRUPTED


def wait(driver: Driver, until: float) -> bool:
    """Wait until the next round; return whether the status file says to end instead."""
    while not driver.is_to_stop:
        left = until - time.monotonic()
        if left <= 0:
            return False
        time.sleep(min(left, LOOK))
    return True


def exit_code(driver: Driver) -> int:
    """Return what came of all commits."""
    states = {outcome.state for outcome in driver.done}
    if REGRESSED in states:
        return REGRESSION
    if states & {UNBUILT, UNMEASURED}:
        return FAILED
    return GONE if driver.journal.progress.gone else FINE


def show(outcome: CommitOutcome) -> None:
    """Print what came of a commit."""
    with leaving_early():
        print(outcome_line(outcome))


def repository_path(arguments: Namespace) -> Path:
    """Return the repository that is named, as REPO or by --repo_dir."""
    named = [path for path in (arguments.repository, arguments.repo_dir) if path]
    if len(named) != 1:
        found = "both are given" if named else "neither is given"
        raise UsageError(f"give the repository once, as REPO or --repo_dir DIR: {found}")
    return Path(named[0])


def remote_of(repository: GitRepository, name: str | None) -> str | None:
    """Return the remote that is followed: the one named, else origin if there is one."""
    if name is not None:
        return name
    return ORIGIN if ORIGIN in repository.remotes() else None


def state_folder(arguments: Namespace) -> Path:
    """Return where drivers keep what they have done."""
    if arguments.exec_dir:
        return Path(arguments.exec_dir).absolute() / "follow"
    return user_state("follow")


def platform_of(
    name: str,
    repository: GitRepository,
    arguments: Namespace,
    words: Sequence[str],
    settings: Sequence[str],
) -> FollowedPlatform:
    """Return a platform: how commits are built for it, and what is measured there."""
    recipe = Recipe()
    if arguments.frameworks_dir:
        framework = arguments.framework
        if not framework:
            raise UsageError("--frameworks_dir needs --framework: its folder there")
        recipe = recipe_of(Path(arguments.frameworks_dir), framework, name)
    folder = Path(arguments.exec_dir).absolute() / "builds" if arguments.exec_dir else None
    builder = Builder(
        repository,
        folder or builds_folder(),
        recipe,
        teller(quiet=arguments.quiet),
        alone=arguments.same_host,
    )
    return FollowedPlatform(name, builder, [*words, *device_words(name)], settings)
