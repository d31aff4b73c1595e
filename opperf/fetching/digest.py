"""Hashes of content: sha256, and md5 where a publisher gives no other."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, quote

if TYPE_CHECKING:
    from pathlib import Path

LENGTHS = {"sha256": 64, "md5": 32}
CHUNK = 2**20


@dataclass(frozen=True)
class Digest:
    """What the content is to have."""

    algorithm: str
    value: str

    def __str__(self) -> str:
        return f"{self.algorithm}:{self.value}"


def parse_digest(text: str, flag: str) -> Digest:
    """Return a hash from its hexadecimal digits, with or without its name and a colon before them.

    Raises:
        UsageError: it is none.
    """
    name, colon, digits = text.rpartition(":")
    digits = digits.lower()
    for algorithm, length in LENGTHS.items():
        fits = re.fullmatch(rf"[0-9a-f]{{{length}}}", digits)
        if fits and (name.lower() == algorithm or not colon):
            return Digest(algorithm, digits)
    raise UsageError(
        f"{flag}: {quote(text)} is no hash; allowed: sha256:, 64 hexadecimal digits; md5:, 32"
    )


def hash_file(path: Path) -> dict[str, str]:
    """Return all hashes of a file's content by the names of the algorithms."""
    hashes = new_hashes()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            for each in hashes.values():
                each.update(chunk)
    return {name: each.hexdigest() for name, each in hashes.items()}


def new_hashes() -> dict[str, Any]:
    """Return a hash of each algorithm, of nothing so far; none of them keeps anything safe."""
    return {name: hashlib.new(name, usedforsecurity=False) for name in LENGTHS}
