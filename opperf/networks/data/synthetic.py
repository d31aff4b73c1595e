"""Synthetic batches, drawn anew for each step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.networks.data.source import DataSource

if TYPE_CHECKING:
    from collections.abc import Callable

BATCHES = 1024
"""How many there are before they repeat."""


@dataclass
class Synthetic(DataSource):
    """Batches of a network's own examples, the same ones in both frameworks."""

    kind: ClassVar[str] = "synthetic"
    items_are_batches: ClassVar[bool] = True

    example: Callable[[int, np.random.Generator], tuple[Any, Any]]
    batch: int
    seed: int = 0

    def __len__(self) -> int:
        return BATCHES

    def read(self, index: int) -> tuple[Any, Any]:
        """Return one batch; the same one whichever process draws it."""
        return self.example(self.batch, np.random.default_rng((self.seed, index)))
