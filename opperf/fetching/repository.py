"""Repositories that a benchmark needs: `URL;BRANCH;HASH`, and the checkout of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote
from opperf.fetching.address import FILE, HTTPS, Address, parse_address

if TYPE_CHECKING:
    from collections.abc import Sequence

FLAG = "--git_repos"
FORM = "must be URL;BRANCH;HASH, of which BRANCH and HASH may be left out"
BRANCH = re.compile(
    r"(?!.*(\.\.|//|@\{|\.lock(/|$)|/\.|\.(/|$)))[A-Za-z0-9_][\w./+#@-]*(?<!/)", re.ASCII
)
"""As git-check-ref-format(1) has it, and of harmless letters; none begins with a dash."""
HASH = re.compile(r"[0-9a-f]{7,40}|[0-9a-f]{64}")
NAME = re.compile(r"[A-Za-z0-9_][\w.+-]*", re.ASCII)


@dataclass(frozen=True)
class Repository:
    """A repository, and which commit of it: of a branch, of a hash, or its newest."""

    address: Address
    branch: str | None
    commit: str | None

    @property
    def name(self) -> str:
        """The folder of its checkout: the end of its address."""
        return self.address.file_name.removesuffix(".git")


def parse_repositories(texts: Sequence[str]) -> list[Repository]:
    """Return the repositories that `URL;BRANCH;HASH` texts name, several of them between commas.

    Raises:
        UsageError: one does not hold, or two have one name.
    """
    found = [parse_repository(part.strip()) for text in texts for part in text.split(",")]
    for at, each in enumerate(found):
        if each.name in {other.name for other in found[:at]}:
            raise UsageError(f"{FLAG}: two repositories are called {each.name}")
    return found


def parse_repository(text: str) -> Repository:
    """Return the repository that one text names."""
    url, *others = (part.strip() for part in text.split(";"))
    if not url or len(others) > 2:  # noqa: PLR2004 - branch and hash
        raise UsageError(f"{FLAG} {quote(text)}: {FORM}")
    branch, commit = [*others, "", ""][:2]
    address = parse_address(url.rstrip("/"), FLAG, (HTTPS, FILE))
    if branch and not BRANCH.fullmatch(branch):
        raise UsageError(f"{FLAG}: {quote(branch)} is no name of a branch; {FORM}")
    if commit and not HASH.fullmatch(commit.lower()):
        raise UsageError(
            f"{FLAG}: {quote(commit)} is no hash of a commit: 7 to 40 hexadecimal digits; {FORM}"
        )
    repository = Repository(address, branch or None, commit.lower() or None)
    if not NAME.fullmatch(repository.name) or PurePosixPath(repository.name).name == "..":
        raise UsageError(f"{FLAG} {address}: {quote(repository.name)} is no name of a folder")
    return repository
