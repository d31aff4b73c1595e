"""The commit of the opperf checkout that measures, read without git.

The files are described in gitrepository-layout(5).
"""

from __future__ import annotations

import re
from pathlib import Path

from opperf.core.environment.files import read_text

CHECKOUT = Path(__file__).resolve().parents[3]
"""The directory that holds the package: the work tree's top when opperf runs from a checkout.

No directory above it is searched: a venv often lies inside another project's work tree, whose
commit says nothing about opperf.
"""


def checked_out_commit(checkout: Path = CHECKOUT) -> str | None:
    """Return the commit checked out there, None if that is no work tree's top or has no commit."""
    directory = git_directory(checkout / ".git")
    head = read_text(directory / "HEAD") or ""
    commit = resolve(directory, head[4:].strip()) if head.startswith("ref:") else head
    return commit if re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", commit) else None


def checkout_facts(checkout: Path = CHECKOUT) -> dict[str, str | None]:
    """Return where a work tree comes from, its branch and its commit, None where it is none."""
    directory = git_directory(checkout / ".git")
    head = read_text(directory / "HEAD") or ""
    common = directory / (read_text(directory / "commondir") or "")
    _, at, branch = head.partition("refs/heads/")
    return {
        "url": origin(read_text(common / "config") or ""),
        "branch": branch.strip() if at else None,
        "hash": checked_out_commit(checkout),
    }


def origin(config: str) -> str | None:
    """Return the address of the remote `origin`, without a name or a password in it."""
    _, found, rest = config.partition('[remote "origin"]')
    lines = rest.partition("\n[")[0].splitlines() if found else []
    fields = (line.partition("=") for line in lines)
    url = next((value.strip() for name, _, value in fields if name.strip() == "url"), None)
    return url and re.sub(r"^([a-z+]+://)[^/@]*@", r"\1", url)


def git_directory(path: Path) -> Path:
    """Return where the work tree's git files lie; in a worktree, `.git` is a file that tells."""
    text = read_text(path) or ""
    return path.parent / text.removeprefix("gitdir:").strip() if text else path


def resolve(directory: Path, reference: str) -> str:
    """Return the commit of a reference, from its own file or packed-refs, else ""."""
    common = directory / (read_text(directory / "commondir") or "")
    loose = read_text(directory / reference) or read_text(common / reference)
    return loose or packed_reference(common, reference)


def packed_reference(common: Path, reference: str) -> str:
    """Return the commit of a reference in packed-refs, else ""."""
    lines = (read_text(common / "packed-refs") or "").splitlines()
    parts = (line.partition(" ") for line in lines)
    return next((commit for commit, _, name in parts if name == reference), "")
