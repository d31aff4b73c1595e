"""Which files of a folder are images, by their names."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ENDINGS = (".png", ".jpg", ".jpeg")


def images(folder: str) -> Iterator[str]:
    """Yield the images at any depth of a folder, in order of their paths."""
    for place, below, names in os.walk(folder, onerror=fail):
        below.sort()
        for name in sorted(names):
            path = os.path.join(place, name)  # noqa: PTH118 - a million times
            if name.lower().endswith(ENDINGS) and os.path.isfile(path):  # noqa: PTH113
                yield path


def fail(error: OSError) -> None:
    """Raise the error of a folder that cannot be listed: its class would be missing."""
    raise error


def is_image(entry: os.DirEntry[str]) -> bool:
    """Return whether an entry of a folder is a file named like an image."""
    return entry.name.lower().endswith(ENDINGS) and entry.is_file()
