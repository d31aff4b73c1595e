"""Several results together, for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.errors import NotInstalledError
from opperf.core.results.cells import html_table
from opperf.core.results.metrics import probed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.core.results.result import Result

SUMMARY = ("median", "minimum", "mean", "mad", "p90", "p99", "precision", "n")


class Results(list["Result"]):
    """A list of results that shows one a line; `to_frame` makes a pandas.DataFrame of it."""

    def __repr__(self) -> str:
        return "\n".join(map(repr, self)) or "no results"

    def _repr_html_(self) -> str:
        return html_table(self)

    def to_frame(self) -> Any:
        """Return a DataFrame; times are in seconds, and missing where there is no sound time.

        Raises:
            NotInstalledError: pandas is not installed.
        """
        return frame_of([dict(columns(result)) for result in self])


def frame_of(rows: Sequence[Mapping[str, object]]) -> Any:
    """Return a DataFrame with a row an object; what is missing is None or NaN, never zero.

    Raises:
        NotInstalledError: pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        raise NotInstalledError("to_frame needs pandas: pip install pandas") from None
    return pd.DataFrame([*rows])


def columns(result: Result) -> Iterator[tuple[str, object]]:
    """Yield the columns of a result's row."""
    yield from result.operator.to_mapping().items()
    yield "shapes", [item.shape for item in result.inputs]
    yield "dtype", result.inputs[0].dtype if result.inputs else None
    yield "status", result.status
    yield "reason", result.reason
    timed = result.summary if result.seconds is not None else None
    for name in SUMMARY:
        yield name, getattr(timed, name, None)
    yield "flop_rate", result.flop_rate
    yield "byte_rate", result.byte_rate
    for metric in probed(result):
        yield metric.name, metric.value
