"""The source of one commit: a work tree of its own, whose objects stay in the repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.commits.repository.git_repository import PROTOCOLS, RemoteError
from opperf.core.errors import UsageError, quote_path
from opperf.fetching.git import GitError, run_git

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.commits.repository.commit import Commit
    from opperf.commits.repository.git_repository import GitRepository

ORIGIN = "origin"
"""The remote whose address submodules may be relative to."""


def check_out_source(repository: GitRepository, commit: Commit, folder: Path) -> None:
    """Check a commit out into a new folder, which is a repository with the tags of the other.

    `git worktree` would leave its notes in the user's repository; this leaves none, and takes no
    objects along.

    Raises:
        GitError: it cannot be.
        RemoteError: files are missing, as where a partial clone cannot fetch them now.
        UsageError: something else came than was asked for.
    """
    folder.mkdir()
    hashes = run_git(["rev-parse", "--show-object-format"], repository.folder)
    run_git(["init", "--quiet", "--template=", f"--object-format={hashes}"], folder)
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
    promisors = promisors_of(repository)
    for name in dict.fromkeys([ORIGIN, *promisors]):
        if address := setting(repository, f"remote.{name}.url"):
            run_git(["remote", "add", name, "--", address], folder)
    for name in promisors:
        run_git(["config", f"remote.{name}.promisor", "true"], folder)
    words = ["checkout", "--quiet", "--detach", commit.hash, "--"]
    try:
        run_git(words, folder, protocols=PROTOCOLS)
    except GitError as error:
        if promisors:
            raise RemoteError(f"commit {commit} cannot be fetched as a whole: {error}") from None
        raise
    if run_git(["rev-parse", "HEAD"], folder) != commit.hash:
        raise UsageError(f"commit {commit} was not checked out")
    refuse_missing(commit, folder)
    if (folder / ".gitmodules").is_file():
        run_git(["submodule", "--quiet", "update", "--init", "--recursive"], folder)


def refuse_missing(commit: Commit, folder: Path) -> None:
    """Refuse a checkout that lacks files: where git has lost the object of one, it ends with 0.

    Raises:
        RemoteError: it does; the commit is not to blame.
    """
    if missing := run_git(["ls-files", "--deleted", "-z"], folder).strip("\0").split("\0")[0]:
        raise RemoteError(
            f"commit {commit}: the repository has lost its {quote_path(missing)}; get it again "
            "with `git fetch --refetch`, or clone it anew"
        )


def promisors_of(repository: GitRepository) -> list[str]:
    """Return the remotes that have what a partial clone (`--filter`) has left out."""
    found = setting(repository, "--name-only", "--get-regexp", r"^remote\..*\.promisor$")
    return [line.removeprefix("remote.").removesuffix(".promisor") for line in found.splitlines()]


def setting(repository: GitRepository, *words: str) -> str:
    """Return what a repository's configuration says of a name, nothing where it says nothing."""
    try:
        return run_git(["config", *words], repository.folder)
    except GitError:
        return ""
