"""Flat rows as a Parquet file, where pyarrow is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.errors import NotInstalledError
from opperf.reporting.rows import rows_of

if TYPE_CHECKING:
    from typing import BinaryIO

    from opperf.reporting.subjects import Run


def write_parquet(run: Run, stream: BinaryIO) -> None:
    """Write a row of numbers and texts a result; what is missing is null.

    Raises:
        NotInstalledError: pyarrow is not installed.
    """
    require()
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.Table.from_pylist(rows_of(run.results)), stream)


def require() -> None:
    """Refuse where pyarrow is not installed, or not one for this NumPy."""
    try:
        import pyarrow as pa
    except ImportError as error:
        remedy = "pip install 'opperf[parquet]'"
        raise NotInstalledError(f"Parquet needs pyarrow ({error}): {remedy}") from None
    del pa
