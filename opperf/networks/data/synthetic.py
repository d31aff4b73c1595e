"""Batches that are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from opperf.networks.data.loader import Batch
    from opperf.networks.data.request import DataRequest


class SyntheticLoader:
    """One batch again and again, or each drawn when it is asked for."""

    def __init__(self, request: DataRequest, model: Any, batch: int) -> None:
        self.description = {"backend": "synthetic", "resident": request.resident}
        self.resident = request.resident
        self.model, self.batch = model, batch
        self.generator = np.random.default_rng(request.seed)
        self.first: Batch | None = None

    def __next__(self) -> Batch:
        """Return the batch, or the next one."""
        if self.first is not None and self.resident:
            return self.first
        inputs, labels = self.model.example(self.batch, self.generator)
        self.first = (*map(self.model.tensor, inputs),), self.model.tensor(labels)
        return self.first

    def close(self) -> None:
        """End nothing: nobody works for it."""

    def notes(self) -> list[str]:
        """Say nothing."""
        return []
