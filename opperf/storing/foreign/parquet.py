"""Flat rows as a Parquet file, where pyarrow is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.errors import NotInstalledError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


def write(rows: Sequence[Mapping[str, object]], path: Path) -> None:
    """Write rows of numbers and texts; what is missing is null.

    Raises:
        NotInstalledError: pyarrow is not installed.
    """
    require()
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.Table.from_pylist([dict(row) for row in rows]), path)


def require() -> None:
    """Refuse where pyarrow is not installed, or not one for this NumPy."""
    try:
        import pyarrow as pa
    except ImportError as error:
        remedy = "pip install 'opperf[parquet]'"
        raise NotInstalledError(f"Parquet needs pyarrow ({error}): {remedy}") from None
    del pa
