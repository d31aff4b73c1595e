"""What -k leaves of stored results and of a comparison's pairs, by what they say of themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.filters.language import FIELDS, parse
from opperf.core.results.result import Result
from opperf.planning.selection import check_names

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeVar

    from opperf.core.filters.language import Filter
    from opperf.core.results.pair import Pair

    Record = TypeVar("Record", Result, Pair)


def facts_filter(text: str, *, of_calls: bool = False) -> Filter:
    """Return a filter of what a result says of itself.

    A network's calls have names of their own, which are not known here.
    """
    parsed = parse(text, [name for name in FIELDS if name != "tag"])
    return parsed if of_calls else check_names(parsed)


def matching(records: Sequence[Record], condition: Filter) -> list[Record]:
    """Return the records that the filter leaves."""
    return [record for record in records if condition.matches(facts_of(record))]


def facts_of(record: Result | Pair) -> dict[str, str | None]:
    """Return what a filter can ask of a record; a pair's status is that of the arm that failed."""
    names = ("name", "category", "framework", "size", "direction", "device")
    facts = {name: getattr(record.operator, name) for name in names}
    dtype = record.inputs[0].dtype if record.inputs else None
    status = record.status if isinstance(record, Result) else record.worse_status
    return {**facts, "dtype": dtype, "status": status}
