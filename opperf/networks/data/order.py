"""The order of the examples: epoch after epoch without end, and each rank's share of it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count, islice
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class BatchOrder:
    """The numbers of each batch's examples, as a loader's `batch_sampler`.

    A batch that is larger than what is left of an epoch goes on in the next one. Ranks take turns
    within each global batch, so that together they take what one process with the sum of their
    batches would.
    """

    length: int
    batch: int
    shuffle: bool = False
    seed: int = 0
    rank: int = 0
    ranks: int = 1

    def examples(self) -> Iterator[int]:
        """Yield the numbers of all examples, epoch after epoch."""
        for epoch in count():
            if self.shuffle:
                yield from (
                    np.random.default_rng((self.seed, epoch)).permutation(self.length).tolist()
                )
            else:
                yield from range(self.length)

    def __iter__(self) -> Iterator[list[int]]:
        """Yield the numbers of one batch of this rank after another."""
        supply = self.examples()
        while True:
            yield list(islice(supply, self.batch * self.ranks))[self.rank :: self.ranks]
