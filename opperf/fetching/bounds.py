"""How much an archive may become, and where: names, links and bytes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePosixPath

from opperf.core.errors import quote

RATIO = 200
"""Bytes that one of the archive may become; data compress by 2 to 20, zeros by 1000."""
FREE = 2**26
"""Bytes that any archive may become."""
MOST_BYTES = 2**42
MOST_FILES = 4_000_000
LONGEST = 4096
"""Characters of a name."""


class ArchiveError(Exception):
    """What an archive holds that is not extracted."""


@dataclass
class Bounds:
    """How much an archive may become, and the names that it has used."""

    most: int
    written: int = 0
    kinds: dict[PurePosixPath, str] = field(default_factory=dict)

    def add(self, count: int) -> None:
        """Count bytes."""
        self.written += count
        if self.written > self.most:
            raise ArchiveError(f"it becomes more than {self.most} bytes, {RATIO} times its own")

    def place(self, name: str, kind: str) -> PurePosixPath:
        """Return where in the folder a member belongs.

        A member below one that is no folder would be written through a link.
        """
        path = PurePosixPath(name)
        if "\\" in name or "\0" in name or len(name) > LONGEST:
            raise ArchiveError(f"no name of a file: {quote(name)}")
        if path.is_absolute() or ".." in path.parts:
            raise ArchiveError(f"a file outside of its folder: {quote(name)}")
        for above in path.parents:
            if self.kinds.setdefault(above, "folder") != "folder":
                raise ArchiveError(f"a file below one that is no folder: {quote(name)}")
        if self.kinds.get(path, kind) != kind or (kind != "folder" and path in self.kinds):
            raise ArchiveError(f"two files of one name: {quote(name)}")
        self.kinds[path] = kind
        if len(self.kinds) > MOST_FILES:
            raise ArchiveError(f"more than {MOST_FILES} files")
        return path

    def check_link(self, path: PurePosixPath, target: str) -> None:
        """Refuse a symbolic link that leads out of the folder, whatever lies on its way."""
        parts = PurePosixPath(target).parts
        up = next((at for at, part in enumerate(parts) if part != ".."), len(parts))
        if target.startswith("/") or ".." in parts[up:] or up >= len(path.parts):
            raise ArchiveError(f"a link out of its folder: {quote(str(path))} to {quote(target)}")

    def check_hard_link(self, name: str) -> None:
        """Refuse a hard link to anything but a file that was extracted before."""
        if self.kinds.get(PurePosixPath(name)) != "file":
            raise ArchiveError(f"a hard link to what is no file of it: {quote(name)}")
