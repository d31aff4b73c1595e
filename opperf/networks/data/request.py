"""Which data a network is given, as it is asked for; the parent checks it before a child starts."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from opperf.core.errors import NotInstalledError, UsageError, quote, quote_path, unknown

SYNTHETIC = "synthetic"
CAFFE_LMDB, IMAGE_FOLDER, RAW = "caffe_lmdb", "image_folder", "raw"
BACKENDS = (CAFFE_LMDB, IMAGE_FOLDER, RAW)
MOST_THREADS = 256
MODULES = {CAFFE_LMDB: ("lmdb", "PIL"), IMAGE_FOLDER: ("PIL",), RAW: ()}
EXTRAS = {"lmdb": ("lmdb", "lmdb"), "PIL": ("Pillow", "images")}
"""The package and opperf's extra of each module."""
LMDB_FILE, DATA_FILE, LABELS_FILE = "data.mdb", "data.npy", "labels.npy"
FILES = {CAFFE_LMDB: (LMDB_FILE,), IMAGE_FOLDER: (), RAW: (DATA_FILE, LABELS_FILE)}


@dataclass(frozen=True, kw_only=True)
class DataRequest:
    """Batches of a folder, or synthetic ones where none is named.

    Args:
        data_dir: the folder; "" for synthetic batches.
        backend: how the folder holds its examples, one of `BACKENDS`.
        shuffle: whether they come in another order in each epoch.
        threads: how many worker processes load them ahead; 0 for loading between two steps.
        resident: whether a synthetic batch is made once and stays on the device.
        strict: whether an example that cannot be read is an error, and not left out.
        seed: what is drawn follows from it.

    """

    data_dir: str = ""
    backend: str = CAFFE_LMDB
    shuffle: bool = False
    threads: int = 4
    resident: bool = True
    strict: bool = False
    seed: int = 0

    @property
    def stays(self) -> bool:
        """Whether one batch serves again and again, so that there is nothing to load."""
        return not self.data_dir and self.resident

    def description(self) -> dict[str, Any]:
        """Return what tells these data from others, as a record states it."""
        if self.stays:
            return {"data": SYNTHETIC, "data_resident": True}
        loaded = {"data_shuffle": self.shuffle, "num_loader_threads": self.threads}
        if not self.data_dir:
            return {"data": SYNTHETIC, "data_resident": False} | loaded
        return {"data": self.backend, "data_dir": self.data_dir} | loaded

    def check(self) -> None:
        """Raise UsageError where it is seen without a framework that the data cannot be had."""
        if self.backend not in BACKENDS:
            raise UsageError(unknown("data backend", self.backend, BACKENDS))
        if not 0 <= self.threads <= MOST_THREADS:
            raise UsageError(
                f"--num_loader_threads {self.threads}; allowed: 0 (loading between two steps) to"
                f" {MOST_THREADS}"
            )
        if self.data_dir:
            self.check_folder()
            for module in MODULES[self.backend]:
                require(module, self.backend)

    def check_folder(self) -> None:
        """Raise UsageError unless the folder is there and has the backend's files."""
        folder = Path(self.data_dir)
        if not folder.is_dir():
            what = "is not a folder" if folder.exists() else "does not exist"
            raise UsageError(
                f"data folder {quote_path(folder)} {what}; --data_dir names the folder of the"
                " examples, and without it they are synthetic"
            )
        if not os.access(folder, os.R_OK | os.X_OK):
            raise UsageError(f"data folder {quote_path(folder)} cannot be read: permission denied")
        for name in FILES[self.backend]:
            if not (folder / name).is_file():
                others = ", ".join(other for other in BACKENDS if other != self.backend)
                raise UsageError(
                    f"data folder {quote_path(folder)} has no {name}, which {self.backend} reads;"
                    f" other backends are {others}"
                )


def require(module: str, backend: str) -> None:
    """Raise NotInstalledError, with the extra to install, if a module is missing."""
    if find_spec(module) is None:
        package, extra = EXTRAS[module]
        raise NotInstalledError(
            f"data backend {backend} needs {package}, which is not installed;"
            f" pip install 'opperf[{extra}]'"
        )


def one_line(error: BaseException) -> str:
    """Return what an error of another package says, as one short line."""
    said = " ".join(str(error).split()) or type(error).__name__
    return said if said.isprintable() else quote(said)
