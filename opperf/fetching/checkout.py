"""Checkouts of repositories: pinned, verified, replaced as a whole, and never over an edit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote_path
from opperf.fetching.git import GitError, run_git
from opperf.fetching.places import explaining, holding, workshop
from opperf.fetching.repository import BRANCH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from opperf.fetching.repository import Repository

OWN = "opperf.commit"
"""The commit that a checkout got, in its own configuration."""
MAKING = ".opperf-checkouts"
"""The folder beside the checkouts that has what is not yet whole."""
FETCHED = "FETCH_HEAD"
COMPILED = "__pycache__/\n*.py[co]\n"
"""What running its modules leaves in a checkout: no edits."""
REMEDY = "free space, or give another --workspace"
FULL_LENGTHS = (40, 64)


@dataclass(frozen=True)
class Checkout:
    """A repository's work tree, and whether it holds something else than its commit."""

    path: Path
    edited: bool = False


def check_out(
    repositories: Sequence[Repository], folder: Path, tell: Callable[[str], None], *, cached: bool
) -> list[Checkout]:
    """Return the checkouts of repositories, each in a folder of its name.

    Args:
        repositories: which.
        folder: where each gets a folder.
        tell: is told what takes its time.
        cached: take those that are there as they are, edits included, and ask no server.

    Raises:
        UsageError: one cannot be had, lacks the commit, or was edited.
    """
    checkouts = []
    for repository in repositories:
        target = folder / repository.name
        where = f"check out {repository.address} into {quote_path(folder)}"
        with explaining(where, REMEDY), holding(folder / MAKING / "lock"):
            if cached and (target / ".git").exists():
                checkouts.append(take_as_it_is(target, tell))
                continue
            try:
                if not is_current(repository, target):
                    tell(f"{repository.address}: fetching")
                    replace(repository, target, folder / MAKING)
            except GitError as error:
                raise UsageError(f"{repository.address}: {error}") from None
            checkouts.append(Checkout(target))
    return checkouts


def is_current(repository: Repository, target: Path) -> bool:
    """Return whether a checkout is there and has the very commit that is asked for.

    Raises:
        UsageError: what is there is edited, or no checkout of this repository.
    """
    if not target.exists():
        return False
    kept = "--use_cached_site_packages takes it as it is; or remove it"
    if not (target / ".git").is_dir():
        raise UsageError(f"{quote_path(target)} is no checkout of git; remove it")
    if config(target, "remote.origin.url") != repository.address.url:
        raise UsageError(f"{quote_path(target)} is the checkout of another repository; {kept}")
    if edits(target):
        raise UsageError(f"{quote_path(target)} has local edits; {kept}")
    head = run_git(["rev-parse", "HEAD"], target)
    if head != config(target, OWN):
        raise UsageError(f"{quote_path(target)} has local commits; {kept}")
    if repository.commit:
        return head.startswith(repository.commit)
    references = [f"refs/heads/{repository.branch}"] if repository.branch else ["HEAD"]
    return run_git(["ls-remote", "origin", *references], target).partition("\t")[0] == head


def take_as_it_is(target: Path, tell: Callable[[str], None]) -> Checkout:
    """Return a checkout that nobody has checked, and say its commit and whether it was edited."""
    try:
        state = run_git(["rev-parse", "HEAD"], target)
        edited = bool(edits(target))
    except GitError as error:
        state, edited = f"without a commit: {error}", True
    more = " with local edits" if edited else ""
    tell(f"{quote_path(target)}: taken as it is, {state}{more}")
    return Checkout(target, edited)


def edits(target: Path) -> str:
    """Return which files of a checkout were edited, empty for none."""
    return run_git(["status", "--porcelain", "--untracked-files=all"], target)


def config(target: Path, name: str) -> str | None:
    """Return what a checkout's own configuration says."""
    try:
        return run_git(["config", "--local", "--get", name], target)
    except GitError:
        return None


def replace(repository: Repository, target: Path, making: Path) -> None:
    """Check a repository out beside its place, and put it there when it is whole and verified."""
    with workshop(making) as made:
        new = made / "new"
        new.mkdir()
        run_git(["init", "--quiet", "--template="], new)
        run_git(["remote", "add", "origin", "--", repository.address.url], new)
        branch = repository.branch or default_branch(new)
        commit = fetch_commit(repository, branch, new)
        (new / ".git" / "info").mkdir(exist_ok=True)
        (new / ".git" / "info" / "exclude").write_text(COMPILED, encoding="utf-8")
        on_it = ["-B", branch] if branch else ["--detach"]
        run_git(["checkout", "--quiet", "--no-track", *on_it, commit, "--"], new)
        head = run_git(["rev-parse", "HEAD"], new)
        if head != commit or not head.startswith(repository.commit or ""):
            raise UsageError(f"{repository.address}: {head} came, not {repository.commit}")
        run_git(["config", "--local", OWN, commit], new)
        if target.exists():
            target.rename(made / "old")
        new.rename(target)


def default_branch(folder: Path) -> str | None:
    """Return the branch that the repository itself names, None where it names none."""
    line = run_git(["ls-remote", "--symref", "origin", "HEAD"], folder).partition("\n")[0]
    reference, tab, _ = line.removeprefix("ref: refs/heads/").partition("\t")
    named = tab and line.startswith("ref: ") and BRANCH.fullmatch(reference)
    return reference if named else None


def fetch_commit(repository: Repository, branch: str | None, folder: Path) -> str:
    """Fetch one commit with nothing before it, and return its hash.

    A server that gives no commit by its hash, and a hash that is cut short, take the whole branch.

    Raises:
        UsageError: the repository has no such commit or branch.
    """
    commit = repository.commit
    if commit and len(commit) in FULL_LENGTHS:
        try:
            fetch(commit, folder, depth=1)
            return parse_commit(FETCHED, folder)
        except GitError:
            pass
    fetch_branch(repository, branch, folder, depth=None if commit else 1)
    try:
        return parse_commit(commit or FETCHED, folder)
    except GitError:
        raise UsageError(
            f"{repository.address} has no commit {commit} that can be fetched, on branch "
            f"{branch or 'HEAD'} or by itself"
        ) from None


def fetch_branch(
    repository: Repository, branch: str | None, folder: Path, *, depth: int | None
) -> None:
    """Fetch a branch, or a tag of this name where there is no such branch."""
    names = [f"refs/heads/{branch}", f"refs/tags/{branch}"] if branch else ["HEAD"]
    for name in names:
        try:
            return fetch(name, folder, depth=depth)
        except GitError as error:  # noqa: PERF203 - two rounds
            if "couldn't find remote ref" not in str(error):
                raise
    raise UsageError(f"{repository.address} has no branch {branch or 'HEAD'}")


def fetch(reference: str, folder: Path, *, depth: int | None) -> None:
    """Fetch a reference of the repository, with so many commits of it or all."""
    bound = [] if depth is None else [f"--depth={depth}"]
    run_git(
        ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", *bound, "origin", reference],
        folder,
    )


def parse_commit(name: str, folder: Path) -> str:
    """Return the full hash of a commit that is here."""
    return run_git(["rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"], folder)
