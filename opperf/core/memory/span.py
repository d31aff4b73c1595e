"""Where memory lies, and what watches a device's memory during a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Span = tuple[int, int]
"""Where memory lies: the first address and the number of bytes."""


class Taken(Protocol):
    """What a call took of a device's memory."""

    def beside(self, spans: Sequence[Span], *, made: bool) -> int:
        """Return the bytes beside these spans, which the call `made` or found."""


class Watch(Protocol):
    """What watches a device's memory during a call."""

    def __call__(self, call: Callable[[], Any]) -> tuple[Any, Taken | None]:
        """Return what the call returns, and what it took, None where that cannot be told."""
