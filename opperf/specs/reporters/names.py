"""Names of anything as names of folders: no two are mistaken for each other on any file system."""

from __future__ import annotations

import unicodedata
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

ALLOWED = frozenset("-._+=@,")
"""What a name may hold besides letters and digits; MARK is not among it."""
MARK = "~"
LONGEST = 100
"""Bytes of a name; file systems end at 255, and all of a path at 4096."""
DIGITS = 12
DEVICES = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)}
)
"""What Windows keeps for itself, with any ending."""


def folder_name(name: str, beside: Iterable[str] = ()) -> str:
    """Return a name as it may lie in a folder beside others: itself, or changed and marked.

    Args:
        name: any text.
        beside: what lies there; a name that differs from one of them in its case only is marked.

    """
    clash = any(other != name and folding(other) == folding(name) for other in beside)
    return name if is_plain(name) and not clash else marked(name)


def is_plain(name: str) -> bool:
    """Return whether a name is one of a folder wherever the tree may be copied."""
    return (
        spelled(name) == name
        and name[:1].isalnum() | name.startswith("_")
        and not name.endswith(".")
        and name.partition(".")[0].casefold() not in DEVICES
        and len(name.encode()) <= LONGEST
    )


def marked(name: str) -> str:
    """Return what can be read of a name, and a hash that tells it from all others."""
    digits = sha256(name.encode(errors="surrogatepass")).hexdigest()[:DIGITS]
    room = LONGEST - DIGITS - len(MARK)
    readable = spelled(name).encode()[:room].decode(errors="ignore").strip("-.")
    return f"{readable or 'unnamed'}{MARK}{digits}"


def spelled(name: str) -> str:
    """Return a name with a hyphen for each character that is not allowed."""
    composed = unicodedata.normalize("NFC", name)
    return "".join(each if each.isalnum() or each in ALLOWED else "-" for each in composed)


def folding(name: str) -> str:
    """Return what is equal for names that some file systems take for the same."""
    return unicodedata.normalize("NFKC", name).casefold()
