"""What data is asked for, without a framework."""

from __future__ import annotations

from dataclasses import dataclass


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
    backend: str = "caffe_lmdb"
    shuffle: bool = False
    threads: int = 4
    resident: bool = True
    strict: bool = False
    seed: int = 0
