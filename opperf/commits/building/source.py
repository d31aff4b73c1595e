"""The source of one commit: a work tree of its own, whose objects stay in the repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.errors import UsageError
from opperf.fetching.git import GitError, run_git

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.commits.repository.commit import Commit
    from opperf.commits.repository.git_repository import GitRepository


def check_out_source(repository: GitRepository, commit: Commit, folder: Path) -> None:
    """Check a commit out into a new folder, which is a repository with the tags of the other.

    `git worktree` would leave its notes in the user's repository; this leaves none, and takes no
    objects along.

    Raises:
        GitError: it cannot be.
        UsageError: something else came than was asked for.
    """
    folder.mkdir()
    run_git(["init", "--quiet", "--template="], folder)
    own = folder / ".git"
    (own / "objects" / "info").mkdir(parents=True, exist_ok=True)
    objects = repository.folder / "objects"
    (own / "objects" / "info" / "alternates").write_text(f"{objects}\n", encoding="utf-8")
    if (cut := repository.folder / "shallow").is_file():
        (own / "shallow").write_bytes(cut.read_bytes())
    lines = run_git(["for-each-ref", "--format=%(refname)", "refs/tags"], repository.folder)
    if lines:
        words = ["--quiet", "--no-recurse-submodules", str(repository.folder)]
        run_git(["fetch", *words, "refs/tags/*:refs/tags/*"], folder)
    if address := address_of(repository):
        run_git(["remote", "add", "origin", "--", address], folder)
    run_git(["checkout", "--quiet", "--detach", commit.hash, "--"], folder)
    if run_git(["rev-parse", "HEAD"], folder) != commit.hash:
        raise UsageError(f"commit {commit} was not checked out")
    if (folder / ".gitmodules").is_file():
        run_git(["submodule", "--quiet", "update", "--init", "--recursive"], folder)


def address_of(repository: GitRepository) -> str | None:
    """Return the address of the repository's origin, which submodules may be relative to."""
    try:
        return run_git(["config", "--get", "remote.origin.url"], repository.folder)
    except GitError:
        return None
