"""What can be written or printed: rows, the results of a run, a comparison, histories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.reporting.comparison import ComparisonReport

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.results.result import Result
    from opperf.reporting.charts import HistoryChart
    from opperf.reporting.network import RankedNetwork


@dataclass(frozen=True, kw_only=True)
class Listing:
    """Flat rows, as verbs print them; their columns are the rows' keys in order of appearance.

    `width` is how wide a table may be, None for as wide as its stream's terminal is. `keep` are the
    columns that matter: the others are left out first where there is no room. `times` are columns
    of seconds, which people read in one unit; as texts such as "4.63 us" or as numbers.
    """

    rows: Sequence[Mapping[str, object]]
    width: int | None = None
    keep: Sequence[str] = ()
    times: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class Run:
    """The results of a run, and what the run is called; of a run of calls the networks as well."""

    name: str
    results: Sequence[Result]
    networks: Sequence[RankedNetwork] = ()


@dataclass(frozen=True, kw_only=True)
class Past:
    """Histories of a store, from a day on."""

    since: str
    histories: Sequence[HistoryChart]


SUBJECTS = (Listing, Run, ComparisonReport, Past)
NAMES = {Listing: "rows", Run: "a run", ComparisonReport: "a comparison", Past: "a history"}
"""What an error calls each."""
