"""Asking a database for many series in queries that are short enough for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CHUNK = 500
"""Series that are asked for together."""


def chunks(series: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield parts of a list, each short enough for one query."""
    for start in range(0, len(series), CHUNK):
        yield series[start : start + CHUNK]
