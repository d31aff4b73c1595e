"""Reading a record of any version: brought to this one, held against its classes, and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import NODEFAULT, inspect
from msgspec.structs import replace

from opperf.core.errors import UsageError
from opperf.core.moments import milliseconds_of
from opperf.core.results.conversion import quote_value, record_part
from opperf.core.results.environment import EnvironmentRecord
from opperf.core.results.identity import OPERATOR, SCHEMA
from opperf.core.results.older_names import renamed
from opperf.core.results.result import Result
from opperf.core.results.status import STATUSES, TIMED, has_time
from opperf.core.statistics.plausible import NO_TIME

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMAT, _, NEWEST = SCHEMA.partition("/")
VERSIONS: Mapping[str, int] = {f"{FORMAT}/{n}": n for n in range(1, int(NEWEST) + 1)}


def came_with(kind: inspect.Type) -> int:
    """Return the version that a field of this type came with."""
    extra = kind.extra if isinstance(kind, inspect.Metadata) else None
    return int((extra or {}).get("since", 1))


def may_be_left_out(field: inspect.Field) -> bool:
    """Return whether a field is written only where there is something to say (UNSET else)."""
    return not field.required and field.default is field.default_factory is NODEFAULT


SINCE: Mapping[str, int] = {
    field.name: came_with(field.type)
    for field in inspect.type_info(Result).fields  # type: ignore[attr-defined]
    if not may_be_left_out(field)
}
"""The fields that a record must have, and the version of the format that each came with."""


def from_mapping(record: object) -> Result:
    """Return the result a JSON object stands for, or raise a UsageError that says what is wrong."""
    result = record_part(upgrade(record), Result)
    check_result(result)
    record_part(result.environment, EnvironmentRecord, "environment.")
    return without_impossible_time(result)


def upgrade(record: object) -> dict[str, Any]:
    """Return a record of any known version as one of this version.

    Raises:
        UsageError: It is no record, of an unknown version, or lacks what its version has.
    """
    if not isinstance(record, dict):
        raise UsageError("not a JSON object")
    version = record.get("schema")
    if not isinstance(version, str) or version not in VERSIONS:
        raise UsageError(
            f"unknown record version {repr(version)[:42]}; this opperf reads {', '.join(VERSIONS)}"
        )
    number = VERSIONS[version]
    if missing := sorted(name for name, n in SINCE.items() if n <= number and name not in record):
        raise UsageError(f"the record lacks {', '.join(missing)}")
    return renamed({**subject_of(record), **record, "schema": SCHEMA})


def subject_of(record: dict[str, Any]) -> dict[str, Any]:
    """Return the subject of a record of a version that had none but operators."""
    operator = record["operator"]
    name = operator.get("name") if isinstance(operator, dict) else None
    return {"subject": {"kind": OPERATOR, "name": name}} if isinstance(name, str) else {}


def check_result(result: Any) -> None:
    """Refuse a record that contradicts itself.

    Raises:
        UsageError: Names the field.
    """
    if result.status not in STATUSES:
        allowed = ", ".join(STATUSES)
        raise UsageError(f"unknown status {quote_value(result.status)}; allowed: {allowed}")
    if result.summary is None and result.status in TIMED:
        raise UsageError("field 'summary' is missing where the status is a time's")
    milliseconds_of(result.started_at)


def without_impossible_time(result: Result) -> Result:
    """Return the record, its status `no_time` where earlier versions took a median for a time."""
    if result.status not in TIMED or times_something(result):
        return result
    return replace(result, status="no_time", reason=NO_TIME)


def times_something(result: Any) -> bool:
    """Return whether the median is a time, and not what the loop overhead's own noise left."""
    median = result.summary and result.summary.median
    overhead = result.samples and result.samples.null
    return has_time(result.status, median, overhead)
