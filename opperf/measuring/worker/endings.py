"""How a child ends that does not answer as it should."""

from __future__ import annotations

from opperf.core.errors import WorkerError
from opperf.core.units import format_bytes


class ClosedError(WorkerError):
    """The child has closed its pipe, as one does that ends."""


class Ended(WorkerError):  # noqa: N818 - an ending, not always an error
    """The child ended by itself: its exit status, negative for a signal."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the measuring process ended with status {status}")
        self.status = status


class Hung(WorkerError):  # noqa: N818 - a state
    """The child gave no sign of life in time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"no answer within {seconds:g} s")


class TooLarge(WorkerError):  # noqa: N818 - a state
    """The child, with all that it has started, holds more memory than it may."""

    def __init__(self, nbytes: int, limit: int) -> None:
        super().__init__(f"it held {format_bytes(nbytes)} of memory, and may {format_bytes(limit)}")
