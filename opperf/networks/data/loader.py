"""What yields a network's batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.statistics.warning import MeasurementWarning

Batch = tuple[tuple[Any, ...], Any]
"""Inputs and labels, tensors of the framework on the host."""


class Loader(Protocol):
    """Batches without end, as a measuring child draws them."""

    def __next__(self) -> Batch:
        """Return the next batch, waiting for it."""
        ...

    def close(self) -> None:
        """End all that works for it."""
        ...

    def notes(self) -> Sequence[MeasurementWarning]:
        """Return what is to be said of the data that were read so far."""
        ...
