"""An LMDB database as Caffe's convert_imageset writes it: one Datum a key."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.errors import UsageError, quote_path
from opperf.networks.data.datum import read_datum
from opperf.networks.data.pixels import MODES, check_images, decode, fit, pillow
from opperf.networks.data.request import CAFFE_LMDB, LMDB_FILE, one_line
from opperf.networks.data.source import DataSource, UnreadableError

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array
    from opperf.networks.data.datum import Datum
    from opperf.networks.data.source import DataShape


@dataclass
class CaffeLmdb(DataSource):
    """Images of a database, raw (bytes or floats) or encoded (JPEG or PNG), and their labels."""

    kind: ClassVar[str] = CAFFE_LMDB

    folder: str
    shape: DataShape
    keys: list[bytes] = field(default_factory=list, repr=False)
    opened: tuple[int, Any] | None = field(default=None, repr=False)
    """The process that has opened the database, and what it got: forks may not share it."""

    def __post_init__(self) -> None:
        import lmdb

        check_images(self.shape)
        try:
            environment = self.environment()
            self.check_length(environment)
            with environment.begin() as transaction:
                self.keys = list(transaction.cursor().iternext(keys=True, values=False))
            self.check_first()
        except lmdb.Error as error:
            raise UsageError(
                f"{self.place} is not an LMDB database: {one_line(error)}; {CAFFE_LMDB} reads those"
                " that Caffe's convert_imageset writes"
            ) from error
        finally:
            self.close()  # each process that reads opens it for itself

    def check_length(self, environment: Any) -> None:
        """Raise UsageError if the file is shorter than it says: reading beyond it kills."""
        nbytes = (environment.info()["last_pgno"] + 1) * environment.stat()["psize"]
        there = (Path(self.folder) / LMDB_FILE).stat().st_size
        if there < nbytes:
            raise UsageError(f"{self.place} has {there} bytes of {nbytes}: it is cut off")

    def check_first(self) -> None:
        """Raise UsageError unless the first value is a Datum."""
        if not self.keys:
            raise UsageError(f"{self.place} is empty; {CAFFE_LMDB} reads one Datum a key")
        try:
            self.read(0)
        except UnreadableError as error:
            raise UsageError(
                f"{error}: it is damaged, or none of Caffe's; {CAFFE_LMDB} reads one Datum a key"
            ) from error

    def environment(self) -> Any:
        """Return the database, opened by this process."""
        import lmdb

        if self.opened is None or self.opened[0] != os.getpid():
            found = lmdb.open(
                self.folder, readonly=True, lock=False, create=False, readahead=False, max_dbs=0
            )
            self.opened = (os.getpid(), found)
        return self.opened[1]

    def close(self) -> None:
        """Let go of the database."""
        if self.opened is not None and self.opened[0] == os.getpid():
            self.opened[1].close()
        self.opened = None

    def __getstate__(self) -> dict[str, Any]:
        """Return all but the open database, which each process opens for itself."""
        return vars(self) | {"opened": None}

    @property
    def place(self) -> str:
        """The database's file."""
        return quote_path(Path(self.folder) / LMDB_FILE)

    def __len__(self) -> int:
        return len(self.keys)

    def read(self, index: int) -> tuple[Array, Array]:
        """Return one image and its label."""
        import lmdb

        key = self.keys[index]
        name = f"{self.place}, key {one_line(ValueError(key.decode(errors='replace')))}"
        try:
            with self.environment().begin(buffers=True) as transaction:
                datum = read_datum(transaction.get(key, b""))
                pixels = picture(datum, self.shape, name)
        except (UnreadableError, lmdb.Error) as error:
            raise UnreadableError(f"{name}: {one_line(error)}") from error
        if not 0 <= datum.label < self.shape.classes:
            raise UsageError(
                f"{name}: label {datum.label}; the network has {self.shape.classes} classes,"
                f" 0 to {self.shape.classes - 1}"
            )
        return pixels, np.asarray(datum.label, np.int64)


def picture(datum: Datum, shape: DataShape, name: str) -> Array:
    """Return a Datum's image at the network's size."""
    if datum.encoded:
        return decode(BytesIO(datum.data), shape)
    sizes = (datum.channels, datum.height, datum.width)
    count = datum.channels * datum.height * datum.width
    if min(sizes) < 1 or count not in {len(datum.data), len(datum.floats)}:
        raise UnreadableError(
            f"{len(datum.data)} bytes and {len(datum.floats)} floats for an image of {list(sizes)}"
        )
    if len(datum.floats):
        if sizes != shape.inputs:
            raise UsageError(f"{name}: floats of {list(sizes)}; the network takes {shape.inputs}")
        return datum.floats.reshape(sizes)
    if datum.channels not in MODES:
        raise UnreadableError(f"{datum.channels} channels; allowed: 1 or 3")
    pixels = np.frombuffer(datum.data, np.uint8).reshape(sizes)
    # Caffe reads images with OpenCV: blue, green, red.
    rows = np.ascontiguousarray(pixels[::-1].transpose(1, 2, 0))
    image = pillow().fromarray(rows if datum.channels > 1 else rows[:, :, 0])
    return fit(image.convert(MODES[shape.inputs[0]]), shape)
