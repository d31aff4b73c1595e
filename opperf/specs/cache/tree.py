"""What was put into a folder: links of the cache's files, copies, and extracted archives."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING

from opperf.fetching.archive import extract
from opperf.fetching.cache import copy_file
from opperf.fetching.digest import hash_file
from opperf.fetching.places import remove_tree

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.fetching.cache import Content


def is_same(path: Path, content: Content) -> bool:
    """Return whether a file is there with this content."""
    if path.is_symlink() or not path.is_file():
        return False
    return path.samefile(content.path) or hash_file(path) == content.hashes


def put_file(content: Content, new: Path, *, linked: bool) -> None:
    """Make a file of this content: a link where the cache has it, else a copy."""
    if linked:
        try:
            os.link(content.path, new)
        except OSError:  # a disk without links, or with too many of this file
            pass
        else:
            return
    copy_file(content, new)


def put_folder(content: Content, new: Path, name: str) -> str:
    """Make a folder of an archive, and return the hash of what is in it."""
    new.mkdir()
    extract(content.path, new, name)
    return hash_folder(new)


def hash_folder(folder: Path) -> str:
    """Return a hash of all names, links and contents below a folder."""
    lines = []
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            what = f"link {path.readlink()}"
        else:
            what = "folder" if path.is_dir() else hash_file(path)["sha256"]
        lines.append(f"{path.relative_to(folder)}\0{what}\0")
    return sha256("".join(lines).encode(errors="surrogateescape")).hexdigest()


def replace(target: Path, new: Path) -> None:
    """Move `new` to `target`, in the place of whatever is there."""
    if target.is_dir() and not target.is_symlink():
        remove_tree(target)
    new.replace(target)
