"""The candidates between GOOD and BAD, in order: a repository's commits, or released versions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from opperf.commits.bisection.state import Candidate
from opperf.commits.repository.git_repository import GitRepository
from opperf.comparing.arms.arm import REQUIREMENT
from opperf.comparing.arms.installer import run
from opperf.core.errors import UsageError, quote, unknown

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.commits.repository.commit import Commit

LISTED = re.compile(r"^Available versions: (.+)$", re.MULTILINE)
VERSION = re.compile(r"\d+(\.\d+)*((a|b|rc|\.post|\.dev)\d+)*(\+[A-Za-z0-9.]+)?")


def ask_commits(folder: Path, good: str, bad: str, *, every: bool) -> tuple[str, list[Candidate]]:
    """Return the repository's folder, and GOOD with the commits after it up to BAD.

    Raises:
        UsageError: there is no such repository or commit, or GOOD does not precede BAD.
    """
    repository = GitRepository.open(folder)
    first, last = repository.commit(good), repository.commit(bad)
    if first == last:
        raise UsageError(f"GOOD and BAD are the same commit, {first}: give two")
    commits = [first, *repository.between(first, last, every=every)]
    return str(repository.path), [candidate_of(commit) for commit in commits]


def candidate_of(commit: Commit) -> Candidate:
    """Return a commit as a candidate."""
    return Candidate(name=commit.hash, title=commit.title, time=commit.time)


def ask_versions(python: str, project: str, good: str, bad: str) -> tuple[str, list[Candidate]]:
    """Return the project, and GOOD with the versions after it up to BAD that can be installed here.

    Raises:
        UsageError: there is no such project or version, or GOOD does not precede BAD.
    """
    named = REQUIREMENT.fullmatch(project)
    if not named or named["name"] != project:
        raise UsageError(f"--versions {quote(project)} is no project's name, such as torch")
    for text in (good, bad):
        if not VERSION.fullmatch(text):
            raise UsageError(f"{quote(text)} is no version, such as 2.1.0")
    pip = [python, "-I", "-m", "pip", "--disable-pip-version-check", "--no-input"]
    versions = in_order(LISTED.search(run([*pip, "index", "versions", project])))
    for text in (good, bad):
        if text not in versions:
            raise UsageError(unknown(f"version of {project}", text, versions))
    first, last = versions.index(good), versions.index(bad)
    if first >= last:
        raise UsageError(f"{project} {good} does not precede {bad}; give the older one first")
    return project, [Candidate(name=text, title="") for text in versions[first : last + 1]]


def in_order(line: re.Match[str] | None) -> list[str]:
    """Return the versions that pip lists, which has the newest first, with the oldest first."""
    found = [text.strip() for text in line[1].split(",")] if line else []
    return [text for text in reversed(found) if VERSION.fullmatch(text)]
