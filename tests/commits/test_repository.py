"""A repository's commits in order, and what becomes of them: merged, rewritten, cut off, gone."""

from __future__ import annotations

import subprocess
from datetime import datetime, timezone
from typing import TYPE_CHECKING

import pytest

from opperf.commits.repository.commit import BranchHistory, Commit, week_of
from opperf.commits.repository.git_repository import BranchGoneError, GitRepository, RemoteError
from opperf.core.errors import UsageError
from tests.commits.conftest import DAY, HOUR, NOON, Source

if TYPE_CHECKING:
    from pathlib import Path


def hashes(history: BranchHistory) -> list[str]:
    """Return the hashes of commits."""
    return [commit.hash for commit in history.commits]


def test_commits_come_in_order(source: Source) -> None:
    """The oldest first, with their dates and titles."""
    made = [source.commit(title=f"commit {number}") for number in range(3)]
    history = source.repository.history(source.repository.newest("main"))
    assert hashes(history) == made
    assert [commit.title for commit in history.commits] == ["commit 0", "commit 1", "commit 2"]
    assert [commit.time for commit in history.commits] == [NOON + n * HOUR for n in (1, 2, 3)]
    assert not history.is_cut


def test_a_merge_is_one_commit_unless_all_are_wanted(source: Source) -> None:
    """What was merged was never the state of the branch."""
    first = source.commit("A = 1\n")
    source.git("checkout", "--quiet", "-b", "topic")
    topic = [source.commit("A = 2\n"), source.commit("A = 3\n")]
    source.git("checkout", "--quiet", "main")
    source.git("merge", "--quiet", "--no-ff", "-m", "merge", "topic")
    merge = source.git("rev-parse", "HEAD")
    repository = source.repository
    newest = repository.newest("main")
    assert hashes(repository.history(newest)) == [first, merge]
    assert hashes(repository.history(newest, every=True)) == [first, *topic, merge]
    (alone,) = repository.between(repository.commit(first), newest)
    assert alone.hash == merge
    with pytest.raises(UsageError, match="does not precede"):
        repository.between(repository.commit(topic[0]), newest)


def test_a_shallow_repository_says_what_to_do(source: Source, tmp_path: Path) -> None:
    """A commit that was cut off is not called unknown only."""
    first, *_ = (source.commit() for _ in range(3))
    cut = tmp_path / "cut"
    source.git("clone", "--quiet", "--depth=1", source.path.as_uri(), str(cut))
    repository = GitRepository.open(cut)
    newest = repository.newest("main")
    assert repository.history(newest).is_cut
    with pytest.raises(UsageError, match="fetch --unshallow"):
        repository.commit(first)


def test_what_a_remote_rewrites_stays(source: Source, tmp_path: Path) -> None:
    """The commits that it had can still be had, and where the histories part is found."""
    first, second = source.commit("A = 1\n"), source.commit("A = 2\n")
    copy = tmp_path / "copy"
    source.git("clone", "--quiet", str(source.path), str(copy))
    repository = GitRepository.open(copy)
    before = repository.fetch("origin", "main")
    source.git("reset", "--quiet", "--hard", first)
    third = source.commit("A = 3\n")
    after = repository.fetch("origin", "main")
    assert (before.hash, after.hash) == (second, third)
    assert before not in repository.history(after)
    common = repository.common(before, after)
    assert common is not None
    assert common.hash == first


def test_a_branch_that_is_gone_is_told_from_a_remote_that_is(
    source: Source, tmp_path: Path
) -> None:
    """Both are one line that names it."""
    source.commit()
    source.git("branch", "other")
    copy = tmp_path / "copy"
    source.git("clone", "--quiet", str(source.path), str(copy))
    repository = GitRepository.open(copy)
    assert repository.fetch("origin", "other").title
    source.git("branch", "--quiet", "-D", "other")
    with pytest.raises(BranchGoneError, match="remote origin has no branch other"):
        repository.fetch("origin", "other")
    with pytest.raises(BranchGoneError, match="unknown branch 'mian'; did you mean 'main'"):
        repository.newest("mian")
    with pytest.raises(UsageError, match=r"unknown remote repository 'upstream'.*origin"):
        repository.fetch("upstream", "main")


def test_a_remote_may_be_reached_by_ssh(source: Source, tmp_path: Path) -> None:
    """By the program that the repository names for it; by no other protocol than three."""
    made = source.commit()
    copy = tmp_path / "copy"
    source.git("clone", "--quiet", str(source.path), str(copy))
    ssh = tmp_path / "ssh"
    ssh.write_text('for last; do :; done; exec sh -c "$last"\n')
    source.git("-C", str(copy), "config", "core.sshCommand", f"sh {ssh}")
    source.git("-C", str(copy), "remote", "set-url", "origin", f"ssh://host{source.path}")
    assert GitRepository.open(copy).fetch("origin", "main").hash == made
    source.git("-C", str(copy), "remote", "set-url", "origin", "ext::sh -c true")
    with pytest.raises(RemoteError, match=r"remote origin: .*not allowed"):
        GitRepository.open(copy).fetch("origin", "main")


def test_any_title_is_one_line(source: Source) -> None:
    """Also with what Python takes for the end of a line: a form feed, a separator of Unicode."""
    made = [source.commit(title=title) for title in ("a\fb", "c\u2028d", "e\x85f\x1cg")]
    history = source.repository.history(source.repository.newest("main"))
    assert hashes(history) == made
    assert [commit.title for commit in history.commits] == ["a?b", "c?d", "e?f?g"]


@pytest.mark.parametrize(
    ("date", "time"),
    [
        ("253402300800 +0000", 253_402_300_799),
        ("99999999999999999999 +0000", 253_402_300_799),
        ("-5 +0000", 0),
        ("nonsense", 0),
    ],
)
def test_a_date_that_is_none_is_no_end(source: Source, date: str, time: int) -> None:
    """Repositories that were converted from others have some; each has a week all the same."""
    first = source.commit()
    who = f"a <a@b.c> {date}"
    text = f"tree {source.git('rev-parse', 'HEAD^{tree}')}\nparent {first}\nauthor {who}\n"
    path = source.path.parent / "commit"
    path.write_text(f"{text}committer {who}\n\nodd\n")
    made = source.git("hash-object", "-t", "commit", "-w", "--literally", str(path))
    source.git("update-ref", "refs/heads/main", made)
    history = source.repository.history(source.repository.newest("main"))
    assert hashes(history) == [first, made]
    assert history.commits[1].time == time
    assert history.first_of_week(history.commits[1]).title


def test_a_signature_is_no_commit(source: Source, tmp_path: Path) -> None:
    """With log.showSignature git's log has lines of what has verified it."""
    program = tmp_path / "gpg"
    program.write_text(
        "#!/bin/sh\ncat > /dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\n"
        "printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'\n"
    )
    program.chmod(0o755)
    for name, value in (("gpg.program", program), ("log.showSignature", "true")):
        source.git("config", name, str(value))
    source.git("config", "commit.gpgSign", "true")
    made = source.commit()
    assert "gpgsig" in source.git("cat-file", "commit", made)
    assert hashes(source.repository.history(source.repository.commit(made))) == [made]


@pytest.mark.parametrize("name", ["nothing", "0" * 40, "--all", "HEAD:tiny.py", "", "a\0b", "a\nb"])
def test_what_is_no_commit_is_refused(source: Source, name: str) -> None:
    """Nothing is taken for an option of git's."""
    source.commit()
    with pytest.raises(UsageError, match="commit"):
        source.repository.commit(name)


def test_what_is_no_repository_is_refused(tmp_path: Path) -> None:
    """With its path."""
    with pytest.raises(UsageError, match="is no git repository"):
        GitRepository.open(tmp_path)
    with pytest.raises(UsageError, match="there is no such directory"):
        GitRepository.open(tmp_path / "nowhere")


def test_the_branch_is_master_or_that_of_head(source: Source) -> None:
    """As `repo_driver.py` has it, where the repository has a master."""
    source.commit()
    assert source.repository.branch(None) == "main"
    source.git("branch", "master")
    assert source.repository.branch(None) == "master"
    assert source.repository.branch("topic/one") == "topic/one"
    with pytest.raises(UsageError, match="is no name of a branch"):
        source.repository.branch("--upload-pack=x")


def test_nothing_of_the_user_is_changed(source: Source, tmp_path: Path) -> None:
    """Neither the branches nor the index nor the files of the work tree, nor what was fetched."""
    source.commit()
    copy = tmp_path / "copy"
    source.git("clone", "--quiet", str(source.path), str(copy))
    (copy / "edited").write_text("mine")

    def state() -> list[bytes]:
        git = ["git", "-C", str(copy)]
        lines = subprocess.check_output([*git, "status", "--porcelain=v2", "--branch"]).splitlines()
        names = subprocess.check_output([*git, "for-each-ref"]).splitlines()
        return [
            *(line for line in lines if b"branch.ab" not in line),
            *(line for line in names if b"refs/opperf/" not in line),
            *([b"fetched"] if (copy / ".git" / "FETCH_HEAD").exists() else []),
        ]

    before = state()
    source.commit()
    repository = GitRepository.open(copy)
    newest = repository.fetch("origin", "main")
    assert newest not in repository.history(repository.newest("main"))
    assert state() == before


def test_a_week_begins_on_monday_in_utc() -> None:
    """Whatever the time zone of this machine is."""
    monday = int(datetime(2026, 11, 23, tzinfo=timezone.utc).timestamp())
    assert week_of(monday) == monday
    assert week_of(monday - 1) == monday - 7 * DAY
    assert week_of(monday + 7 * DAY - 1) == monday


def test_the_first_commit_of_a_week_is_found() -> None:
    """The first after Monday 00:00 UTC; a clock that went wrong changes nothing before it."""
    monday = week_of(NOON)
    times = [monday - 60, monday, monday + DAY, monday - DAY, monday + 2 * DAY]
    commits = [Commit(str(at), time, "") for at, time in enumerate(times)]
    history = BranchHistory(commits)
    assert [history.first_of_week(commit).hash for commit in commits] == ["0", "1", "1", "0", "1"]
