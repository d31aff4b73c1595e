"""Examples by their number, whichever the framework: what a loader's processes read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.errors import OpperfError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.tensors.tensor import Array

MOST_IN_A_ROW = 100
"""Examples that cannot be read before it is taken that none can."""


class UnreadableError(OpperfError):
    """One example cannot be read; the others may."""


@dataclass(frozen=True)
class DataShape:
    """What a network takes: one example's input and label, and how many classes there are."""

    inputs: tuple[int, ...]
    dtype: str
    labels: tuple[int, ...]
    classes: int


@dataclass(frozen=True)
class DataItem:
    """One example, or one batch of a source whose items are batches.

    skipped: what was to be read in its place and could not, and why.
    error: what ends the run.
    """

    inputs: Any = None
    labels: Any = None
    skipped: tuple[str, ...] = ()
    error: str = ""


@dataclass(frozen=True)
class HostBatch:
    """One batch in the host's memory, as a framework's tensors; `skipped`, `error` as above."""

    inputs: tuple[Any, ...] = ()
    labels: Any = None
    skipped: tuple[str, ...] = ()
    error: str = ""


@dataclass
class DataSource(ABC):
    """A map from numbers to examples, which each loader process has a copy of."""

    kind: ClassVar[str]
    items_are_batches: ClassVar[bool] = False

    strict: bool = field(default=False, kw_only=True)

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def read(self, index: int) -> tuple[Any, Any]:
        """Return the input and label of one example; UnreadableError if it is damaged."""

    @property
    def place(self) -> str:
        """Where the examples lie, for messages."""
        return ""

    def close(self) -> None:
        """Let go of what this process has opened."""
        return

    def __getitem__(self, index: int) -> DataItem:
        """Return an example, or the next that can be read; errors are values between processes."""
        skipped: list[str] = []
        for step in range(min(len(self), MOST_IN_A_ROW)):
            item = self.attempt((index + step) % len(self))
            if item.error or not item.skipped:
                return replace(item, skipped=tuple(skipped))
            skipped += item.skipped
        return DataItem(
            error=f"{len(skipped)} examples in a row cannot be read in {self.place}, the first:"
            f" {skipped[0]}"
        )

    def attempt(self, index: int) -> DataItem:
        """Return an example, or why it is skipped or ends the run."""
        try:
            return DataItem(*self.read(index))
        except UnreadableError as error:
            if self.strict:
                return DataItem(error=f"{error}; without --strict-data it is skipped")
            return DataItem(skipped=(str(error),))
        except UsageError as error:
            return DataItem(error=str(error))


def collate(
    items: Sequence[DataItem], *, batches: bool, tensor: Callable[[Array], Any]
) -> HostBatch:
    """Return a batch of examples as tensors; of a source whose items are batches, its only item."""
    skipped = tuple(text for item in items for text in item.skipped)
    error = next((item.error for item in items if item.error), "")
    if error:
        return HostBatch(skipped=skipped, error=error)
    if batches:
        inputs, labels = items[0].inputs, items[0].labels
    else:
        inputs = (np.stack([item.inputs for item in items]),)
        labels = np.stack([item.labels for item in items])
    return HostBatch(tuple(map(tensor, inputs)), tensor(labels), skipped)
