"""Batches that are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from opperf.networks.data.loader import Batch
    from opperf.networks.data.request import DataRequest


class SyntheticLoader:
    """Batches of a model's own examples, each drawn when it is asked for."""

    def __init__(self, request: DataRequest, model: Any, batch: int) -> None:
        self.model, self.batch = model, batch
        self.generator = np.random.default_rng(request.seed)

    def __next__(self) -> Batch:
        """Return the next batch."""
        inputs, labels = self.model.example(self.batch, self.generator)
        return (*map(self.model.tensor, inputs),), self.model.tensor(labels)

    def close(self) -> None:
        """End nothing: nobody works for it."""

    def notes(self) -> list[str]:
        """Say nothing."""
        return []
