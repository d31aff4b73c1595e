"""One synthetic batch that stays where it is put."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from opperf.core.statistics.warning import MeasurementWarning
    from opperf.networks.data.loader import Batch
    from opperf.networks.data.place import LoaderPlace


class ResidentBatch:
    """The same batch at every step: no data is loaded or moved."""

    def __init__(self, model: Any, batch: int, seed: int, place: LoaderPlace) -> None:
        inputs, labels = model.example(batch * place.ranks, np.random.default_rng(seed))
        own = slice(place.rank, None, place.ranks)
        arrays = [np.ascontiguousarray(array[own]) for array in (*inputs, labels)]
        *moved, last = map(model.tensor, arrays)
        self.batch: Batch = tuple(moved), last

    def __next__(self) -> Batch:
        """Return the batch."""
        return self.batch

    def close(self) -> None:
        """End nothing: nobody works for it."""

    def notes(self) -> list[MeasurementWarning]:
        """Say nothing."""
        return []
