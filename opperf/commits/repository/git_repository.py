"""A git repository whose commits are followed: nothing in it is changed but references of our own.

Its branches, those of its remotes, its work tree and index stay as they are. The newest commit of a
remote's branch is kept under `refs/opperf`, so that it can be built after the remote has lost it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from opperf.commits.repository.commit import BranchHistory, Commit
from opperf.core.errors import UsageError, quote, quote_path, unknown
from opperf.fetching.git import SILENT, GitError, run_git
from opperf.fetching.repository import BRANCH

OWN = "refs/opperf"
NOTHING_ELSE = ("--refmap=", "--no-write-fetch-head")
"""A fetch of the user's own would set refs/remotes and FETCH_HEAD as well; ours sets neither."""
PROTOCOLS = "file:https:ssh"
"""Of a remote that the user has set up; ssh finds no terminal to ask for a password at."""
LOG = "--format=%H%x00%ct%x00%s"
LATEST = 253_402_300_799
"""The end of the year 9999, in seconds since 1970. Git keeps any date, also one that is none."""
USUAL = "master"
"""The branch that is followed where nobody names one, if the repository has it."""


@dataclass(frozen=True)
class GitRepository:
    """A repository on this machine, by the folder that git keeps it in."""

    path: Path
    folder: Path

    @classmethod
    def open(cls, path: Path) -> GitRepository:
        """Return the repository in a folder: a work tree or a bare one.

        Raises:
            UsageError: there is none.
        """
        if not path.is_dir():
            raise UsageError(f"{quote_path(path)}: there is no such directory; give a repository's")
        try:
            found = run_git(["rev-parse", "--path-format=absolute", "--git-common-dir"], path)
        except GitError as error:
            raise UsageError(f"{quote_path(path)} is no git repository: {error}") from None
        return cls(path.absolute(), Path(found))

    @property
    def is_shallow(self) -> bool:
        """Whether it holds the newest commits only."""
        return self.git("rev-parse", "--is-shallow-repository") == "true"

    def git(self, *words: str) -> str:
        """Return what a command of git prints.

        Raises:
            UsageError: it failed, as where the repository is damaged.
        """
        try:
            return run_git(words, self.folder)
        except GitError as error:
            raise UsageError(f"{quote_path(self.path)}: {error}") from None

    def branch(self, name: str | None) -> str:
        """Return the branch that is followed: the one named, else master, else that of HEAD.

        Raises:
            UsageError: it is no name of a branch, or HEAD is on none.
        """
        if name is not None:
            if not BRANCH.fullmatch(name):
                raise UsageError(f"--branch {quote(name)} is no name of a branch")
            return name
        if self.tip(USUAL) is not None:
            return USUAL
        try:
            return run_git(["symbolic-ref", "--quiet", "--short", "HEAD"], self.folder)
        except GitError:
            raise UsageError(
                f"{quote_path(self.path)}: HEAD is on no branch; give --branch"
            ) from None

    def remotes(self) -> list[str]:
        """Return the names of its remotes."""
        return self.git("remote").split()

    def fetch(self, remote: str, branch: str) -> Commit:
        """Fetch a branch of a remote, and return its newest commit.

        Raises:
            UsageError: there is no such remote.
            BranchGoneError: the remote has no such branch.
            RemoteError: the remote cannot be reached.
        """
        if remote not in self.remotes():
            raise UsageError(unknown("remote repository", remote, self.remotes()))
        kept = f"{OWN}/{remote}/{branch}"
        words = ["--quiet", "--no-tags", "--no-recurse-submodules", *NOTHING_ELSE, remote]
        try:
            fetched = f"+refs/heads/{branch}:{kept}"
            run_git(["fetch", *words, fetched], self.folder, protocols=PROTOCOLS)
        except GitError as error:
            if "couldn't find remote ref" not in str(error):
                raise RemoteError(f"remote {remote}: {error}") from None
            raise BranchGoneError(f"remote {remote} has no branch {branch}") from None
        return self.commit(kept)

    def newest(self, branch: str) -> Commit:
        """Return the newest commit of a branch of this repository's own.

        Raises:
            BranchGoneError: there is no such branch.
        """
        found = self.tip(branch)
        if found is None:
            names = run_git(
                ["for-each-ref", "--format=%(refname:short)", "refs/heads"], self.folder
            )
            raise BranchGoneError(unknown("branch", branch, names.split()))
        return found

    def tip(self, branch: str) -> Commit | None:
        """Return the newest commit of a branch, None where there is no such branch."""
        return self.find(f"refs/heads/{branch}")

    def find(self, name: str) -> Commit | None:
        """Return the commit that a hash, a branch or a tag names, None where there is none."""
        try:
            return self.commit(name)
        except UsageError:
            return None

    def commit(self, name: str) -> Commit:
        """Return the commit that a hash, a branch or a tag names.

        Raises:
            UsageError: there is none, or it was cut off.
        """
        if name.startswith("-") or not name.isprintable():
            raise UsageError(f"commit {quote(name)} is no hash, branch or tag")
        try:
            found = run_git(["log", "-1", LOG, f"{name}^{{commit}}", "--"], self.folder)
        except GitError:
            advice = self.remedy if self.is_shallow else "give a hash, a branch or a tag"
            where = quote_path(self.path)
            raise UsageError(f"{where} has no commit {quote(name)}; {advice}") from None
        return commit_from(found)

    def history(self, newest: Commit, *, every: bool = False) -> BranchHistory:
        """Return the commits that led to one, the oldest first.

        Args:
            newest: the last of them.
            every: with those of the branches that were merged, each after its parents. Without,
                a merge is one commit: what was merged was never the state of this branch.
        """
        order = ["--topo-order"] if every else ["--first-parent"]
        # A title may hold what Python's splitlines takes for an end: a form feed, U+2028.
        lines = self.git("log", "--reverse", *order, LOG, newest.hash, "--").split("\n")
        return BranchHistory([commit_from(line) for line in lines], is_cut=self.is_shallow)

    def between(self, good: Commit, bad: Commit, *, every: bool = False) -> list[Commit]:
        """Return the commits after one, up to and with another, the oldest first.

        Raises:
            UsageError: the first does not precede the other.
        """
        history = self.history(bad, every=every)
        if good not in history:
            cut = f"; {self.remedy}" if self.is_shallow else ""
            raise UsageError(f"commit {good} does not precede {bad}{cut}")
        return list(history.commits[history.positions[good.hash] + 1 :])

    def hashes_between(self, start: Commit, newest: Commit) -> set[str]:
        """Return the hashes of the commits that lead to one and did not lead to another."""
        return set(self.git("rev-list", newest.hash, f"^{start.hash}", "--").split())

    def common(self, one: Commit, other: Commit) -> Commit | None:
        """Return the newest commit that two have in common, None where there is none."""
        try:
            return self.commit(run_git(["merge-base", one.hash, other.hash], self.folder))
        except GitError:
            return None

    def texts_with(self, commit: str, word: str) -> list[str]:
        """Return the text files of a commit that hold a word.

        Raises:
            UsageError: git cannot say, as where an object is lost or cannot be fetched.
        """
        words = ["grep", "-I", "-z", "--files-with-matches", "--fixed-strings", "-e", word]
        try:
            found = run_git([*words, commit, "--"], self.folder)
        except GitError as error:
            if str(error) == SILENT:  # as it is where it finds nothing
                return []
            raise UsageError(f"{quote_path(self.path)}: {error}") from None
        return [self.git("cat-file", "blob", place) for place in found.split("\0") if place]

    @property
    def remedy(self) -> str:
        """What to do where a commit was cut off."""
        return (
            "the repository is shallow: get the rest with "
            f"`git -C {quote_path(self.path)} fetch --unshallow`"
        )


class RemoteError(UsageError):
    """A remote that cannot be reached now."""


class BranchGoneError(UsageError):
    """A branch that is not, or no longer, there."""


def commit_from(line: str) -> Commit:
    """Return the commit that a line of git's log stands for.

    A date that is none counts as 1970, one that no calendar has as the last that one has.
    """
    name, time, title = line.split("\0", 2)
    return Commit(
        name, min(int(time or 0), LATEST), "".join(c if c.isprintable() else "?" for c in title)
    )
