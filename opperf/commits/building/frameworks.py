"""Frameworks by which builds can be measured: this installation's, and those that commits bring.

A build sees the packages of this Python, so whatever is registered here is known. A commit may
bring another one, by an entry point of its package. That is decided without building it: some file
of the commit, or the script that builds it, names the group of entry points and the framework.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from opperf.commits.repository.commit import SHORT
from opperf.core.errors import UsageError, unknown
from opperf.core.frameworks.registry import GROUP, framework_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from opperf.commits.repository.git_repository import GitRepository


def not_here(names: Iterable[str]) -> list[str]:
    """Return the frameworks that are not registered in this installation."""
    return [name for name in names if name not in framework_names()]


def refuse_unknown_frameworks(
    names: Iterable[str],
    repository: GitRepository,
    hashes: Sequence[str],
    scripts: Sequence[Path] = (),
) -> None:
    """Refuse a framework that is not registered here and that a commit does not bring either.

    Args:
        names: the frameworks that are asked for.
        repository: whose commits are built.
        hashes: the commits that must be measured on them.
        scripts: what builds them, none for pip.

    Raises:
        UsageError: says which framework, and which commit lacks it.
    """
    made = [script.read_text(encoding="utf-8", errors="replace") for script in scripts]
    for name in not_here(names):
        if any(GROUP in text and names_framework(text, name) for text in made):
            continue
        for commit in hashes:
            if not may_bring(repository, commit, name):
                raise UsageError(
                    f"{unknown('framework', name, framework_names())}; commit {commit[:SHORT]} "
                    f"does not bring it: no file names both it and {GROUP}; "
                    "else install its package here, which builds see"
                )


def may_bring(repository: GitRepository, commit: str, name: str) -> bool:
    """Return whether a commit declares a framework, or git cannot say."""
    try:
        texts = repository.texts_with(commit, GROUP)
    except UsageError:
        return True
    return any(names_framework(text, name) for text in texts)


def names_framework(text: str, name: str) -> bool:
    """Return whether a text has a name as a word of its own; a line's end may be written as two."""
    return bool(re.search(rf"((?<![\w-])|\\[nt]){re.escape(name)}(?![\w-])", text))
