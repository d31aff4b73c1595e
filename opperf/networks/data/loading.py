"""The loader that a measuring child draws from: a framework's own, over a source of ours."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from opperf.core.errors import OpperfError, UsageError, error_text
from opperf.core.statistics.warning import MeasurementWarning
from opperf.networks.data.worker import LoaderSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opperf.networks.data.loader import Batch
    from opperf.networks.data.order import BatchOrder
    from opperf.networks.data.source import DataSource, HostBatch


class SourceLoader:
    """Batches without end, loaded ahead by processes or between two steps."""

    def __init__(
        self,
        framework: str,
        source: DataSource,
        order: BatchOrder,
        tensor: Callable[[Any], Any],
        processes: int,
        processors: tuple[int, ...] = (),
    ) -> None:
        adapter = import_module(f"opperf.networks.data.{framework}")
        self.source, self.order = source, order
        self.skipped: dict[str, None] = {}
        shared = LoaderSource(source, processors)
        self.supply: Iterator[HostBatch] | None = adapter.supply(shared, order, processes, tensor)

    def __next__(self) -> Batch:
        """Return the next batch, waiting for it."""
        if self.supply is None:
            raise OpperfError("the loader is closed")
        try:
            batch = next(self.supply)
        except (RuntimeError, OSError, EOFError) as error:
            raise OpperfError(f"a loader process failed: {error_text(error)}") from error
        self.skipped.update(dict.fromkeys(batch.skipped))
        if batch.error:
            raise UsageError(batch.error)
        return batch.inputs, batch.labels

    def close(self) -> None:
        """End the loader's processes, as both frameworks do when their iterator is let go."""
        self.supply = None
        self.source.close()

    def notes(self) -> list[MeasurementWarning]:
        """Return how many examples were left out, and that a batch has some of them twice."""
        many, found = len(self.source), []
        if self.skipped:
            found.append(
                MeasurementWarning(
                    "data_left_out",
                    f"{len(self.skipped)} of {many} examples cannot be read and were left out:"
                    f" {next(iter(self.skipped))}",
                )
            )
        together = self.order.batch * self.order.ranks
        if together > many:
            found.append(
                MeasurementWarning(
                    "data_repeated",
                    f"a batch of {together} has some of the {many} examples more than once",
                )
            )
        return found
