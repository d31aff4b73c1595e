"""Examples as arrays of NumPy's own format, mapped from their files and not loaded."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from opperf.core.errors import UsageError, quote_path
from opperf.networks.data.request import DATA_FILE, LABELS_FILE, RAW, one_line
from opperf.networks.data.source import DataSource

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array
    from opperf.networks.data.source import DataShape


@dataclass
class RawArrays(DataSource):
    """data.npy and labels.npy: as many inputs as labels, ready for the network."""

    kind: ClassVar[str] = RAW

    folder: str
    shape: DataShape
    arrays: tuple[Array, Array] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        data, labels = self.mapped()
        wanted = (self.shape.inputs, self.shape.dtype)
        if (data.shape[1:], data.dtype.name) != wanted or not len(data):
            raise UsageError(
                f"{self.named(DATA_FILE)} is {data.dtype.name}{list(data.shape)}; the network takes"
                f" {wanted[1]}[examples, {', '.join(map(str, wanted[0]))}]"
            )
        if labels.dtype.kind not in "iu" or labels.shape[1:] != self.shape.labels:
            raise UsageError(
                f"{self.named(LABELS_FILE)} is {labels.dtype.name}{list(labels.shape)}; labels are"
                f" whole numbers, {['examples', *self.shape.labels]}"
            )
        if len(labels) != len(data):
            raise UsageError(
                f"{self.named(LABELS_FILE)} has {len(labels)} labels for {len(data)} examples of"
                f" {DATA_FILE}; one each is needed"
            )
        least, most = int(labels.min()), int(labels.max())
        if least < 0 or most >= self.shape.classes:
            raise UsageError(
                f"{self.named(LABELS_FILE)} has labels from {least} to {most}; the network has"
                f" {self.shape.classes} classes, 0 to {self.shape.classes - 1}"
            )

    def named(self, name: str) -> str:
        """Return a file of the folder as an error names it."""
        return quote_path(Path(self.folder) / name)

    def mapped(self) -> tuple[Array, Array]:
        """Return both arrays, mapped by this process or the one it was forked from."""
        if self.arrays is None:
            self.arrays = (self.map(DATA_FILE), self.map(LABELS_FILE))
        return self.arrays

    def map(self, name: str) -> Array:
        """Return an array that stays in its file."""
        path = Path(self.folder) / name
        try:
            array = np.lib.format.open_memmap(path, mode="r")  # type: ignore[no-untyped-call]
        except (OSError, ValueError, EOFError, MemoryError, OverflowError) as error:
            raise UsageError(
                f"{self.named(name)} cannot be read: {one_line(error)}; {RAW} reads what"
                " numpy.save writes of numbers"
            ) from error
        if not array.ndim:
            raise UsageError(f"{self.named(name)} holds no array of examples")
        return cast("Array", array)

    def __getstate__(self) -> dict[str, Any]:
        """Return all but the arrays, which each process maps for itself."""
        return vars(self) | {"arrays": None}

    @property
    def place(self) -> str:
        """The folder."""
        return quote_path(self.folder)

    def __len__(self) -> int:
        return len(self.mapped()[0])

    def read(self, index: int) -> tuple[Array, Array]:
        """Return one example and its label."""
        data, labels = self.mapped()
        return data[index], labels[index].astype(np.int64)
