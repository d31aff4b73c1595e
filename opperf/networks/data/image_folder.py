"""A folder of images with one subfolder per class, as torchvision's ImageFolder reads it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.errors import UsageError, quote_path
from opperf.networks.data.pixels import check_images, decode
from opperf.networks.data.request import IMAGE_FOLDER, one_line
from opperf.networks.data.source import DataSource, UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.core.tensors.tensor import Array
    from opperf.networks.data.source import DataShape

ENDINGS = (".png", ".jpg", ".jpeg")


@dataclass
class ImageFolder(DataSource):
    """PNG and JPEG files; their label is the place of their subfolder among the others, by name.

    A folder that has images and no subfolder with images is one class.
    """

    kind: ClassVar[str] = IMAGE_FOLDER

    folder: str
    shape: DataShape
    files: list[tuple[str, int]] = field(default_factory=list, repr=False)
    classes: int = 1

    def __post_init__(self) -> None:
        check_images(self.shape)
        try:
            self.find()
        except OSError as error:
            raise UsageError(f"data folder {self.place}: {one_line(error)}") from error
        if not self.files:
            raise UsageError(
                f"data folder {self.place} has no images; {IMAGE_FOLDER} reads"
                f" {', '.join(ENDINGS)} in one subfolder per class"
            )
        if self.classes > self.shape.classes:
            raise UsageError(
                f"data folder {self.place} has {self.classes} classes, and the network"
                f" {self.shape.classes}; remove subfolders or take another network"
            )

    def find(self) -> None:
        """List the images of all classes, or those of the folder itself where there are none."""
        names = sorted(entry.name for entry in os.scandir(self.folder) if entry.is_dir())
        self.files = [
            (path, label)
            for label, name in enumerate(names)
            for path in images(os.path.join(self.folder, name))  # noqa: PTH118 - a million times
        ]
        self.classes = len(names) if self.files else 1
        if not self.files:
            top = (entry for entry in os.scandir(self.folder) if is_image(entry))
            self.files = [(entry.path, 0) for entry in sorted(top, key=lambda entry: entry.name)]

    @property
    def place(self) -> str:
        """The folder."""
        return quote_path(self.folder)

    def __len__(self) -> int:
        return len(self.files)

    def read(self, index: int) -> tuple[Array, Array]:
        """Return one image and its class."""
        path, label = self.files[index]
        try:
            with Path(path).open("rb") as file:
                pixels = decode(file, self.shape)
        except (UnreadableError, OSError) as error:
            raise UnreadableError(f"{quote_path(path)}: {one_line(error)}") from error
        return pixels, np.asarray(label, np.int64)


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
