"""What data is asked for, without a framework."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

SYNTHETIC = "synthetic"
BACKENDS = ("caffe_lmdb", "image_folder")


@dataclass(frozen=True, kw_only=True)
class DataRequest:
    """Batches of a folder, or synthetic ones where none is named.

    Args:
        data_dir: the folder; "" for synthetic batches.
        backend: how the folder holds its examples.
        shuffle: whether they come in another order in each epoch.
        threads: how many workers load them.
        resident: whether a synthetic batch is made once and stays on the device.
        strict: whether a file that cannot be read is an error, and not left out.
        seed: what is drawn follows from it.

    """

    data_dir: str = ""
    backend: str = BACKENDS[0]
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
        if not self.data_dir:
            return {"data": SYNTHETIC, "data_resident": self.resident}
        return {
            "data": self.backend,
            "data_dir": self.data_dir,
            "data_shuffle": self.shuffle,
            "num_loader_threads": self.threads,
        }
