"""The candidates between GOOD and BAD."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from opperf.commits.bisection.asking import LISTED, ask_commits, ask_versions, in_order
from opperf.core.errors import UsageError
from tests.comparing.arms.wheels import wheel

if TYPE_CHECKING:
    from pathlib import Path


def test_commits_are_those_of_the_branch_in_order(source: Any) -> None:
    """GOOD first, BAD last; hashes, tags and what is relative to them are understood."""
    made = [source.commit(title=f"Note {at}") for at in range(5)]
    source.git("tag", "v1", made[1])
    _, found = ask_commits(source.path, "v1", "HEAD~1", every=False)
    assert [one.name for one in found] == made[1:4]
    assert [one.title for one in found] == ["Note 1", "Note 2", "Note 3"]


def test_what_is_no_range_is_refused(source: Any, tmp_path: Path) -> None:
    """The wrong way round, one commit twice, no such commit, no repository."""
    first, last = source.commit(), source.commit()
    for good, bad, words in (
        (last, first, "does not precede"), (last, last, "the same commit"),
        ("nowhere", last, "has no commit"), ("--all", last, "is no hash"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=words):
            ask_commits(source.path, good, bad, every=False)
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="no git repository"):
        ask_commits(tmp_path / "empty", "a", "b", every=False)


def test_versions_are_sorted_by_their_numbers() -> None:
    """What precedes a release comes before it, and 1.10 after 1.9."""
    listed = "Available versions: 1.10.0, 1.9.0.post1, 1.9.0, 1.9.0rc2, 1.9.0rc1, 1.9.0b1, 0.9"
    expected = ["0.9", "1.9.0b1", "1.9.0rc1", "1.9.0rc2", "1.9.0", "1.9.0.post1", "1.10.0"]
    assert in_order(LISTED.search(listed)) == expected


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Offer three versions of a project, and no index."""
    for version in ("1.0", "1.2", "1.10"):
        wheel(tmp_path / "wheels", version)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))


@pytest.mark.usefixtures("wheels")
def test_versions_are_those_that_can_be_installed() -> None:
    """Pip knows which: of an index, or of a folder of wheels."""
    project, found = ask_versions(sys.executable, "tiny", "1.0", "1.10")
    assert project == "tiny"
    assert [one.name for one in found] == ["1.0", "1.2", "1.10"]


@pytest.mark.usefixtures("wheels")
@pytest.mark.parametrize(
    ("project", "good", "bad", "words"),
    [
        ("tiny", "1.10", "1.0", "does not precede"),
        ("tiny", "1.1", "1.10", "unknown version of tiny"),
        ("tiny", "1.0; rm", "1.10", "is no version"),
        ("--index", "1.0", "1.10", "is no project's name"),
        ("tiny==1.0", "1.0", "1.10", "is no project's name"),
        ("absent", "1.0", "1.10", "failed"),
    ],
)
def test_what_is_no_range_of_versions_is_refused(
    project: str, good: str, bad: str, words: str
) -> None:
    """In one line."""
    with pytest.raises(UsageError, match=words):
        ask_versions(sys.executable, project, good, bad)
