"""Arrays in a file by name, as `numpy.load` reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zipfile import ZipFile

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from opperf.core.tensors.tensor import Array


def save_arrays(path: Path, arrays: Mapping[str, Array]) -> None:
    """Write arrays as `numpy.savez` does, and leave no file where that fails.

    `numpy.savez` leaves its archive open where the disk is full; when the archive is collected it
    tries to write once more, and says so on stderr.

    Raises:
        OSError: the disk is full, or the folder cannot be written.
    """
    try:
        with ZipFile(path, "w", allowZip64=True) as archive:
            for name, array in arrays.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                    np.save(file, array, allow_pickle=False)
    except OSError:
        path.unlink(missing_ok=True)
        raise
