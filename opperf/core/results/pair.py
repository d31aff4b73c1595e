"""The record of a pair: one operator in two arms, in one session of fresh processes.

History of the format:

* opperf.pair/1 (2026-11): the first.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError
from opperf.core.moments import milliseconds_of
from opperf.core.results.conversion import quote_value, record_part
from opperf.core.results.identity import digest
from opperf.core.results.parts import InputRecord, Number, OperatorRecord, Part, Whole

if TYPE_CHECKING:
    from collections.abc import Sequence

SCHEMA = "opperf.pair/1"
PURPOSES = ("comparison", "control", "confirmation")
"""B against A; A against A, where nothing may be found; B against A again, in fresh sessions."""


class Pair(Part, frozen=True, kw_only=True):
    """One operator in both arms in one session: the seconds of all blocks, and what they make.

    Blocks are net seconds per iteration in time order, chirps the nanoseconds of the probe beside
    them; `marked` are the positions of the pairs that something else disturbed, `ratio` is the
    logarithm of B over A, None where an arm failed.
    """

    schema: str = SCHEMA
    result_id: str
    run_id: str
    session: Whole
    purpose: str
    started_at: str
    opperf_version: str
    operator: OperatorRecord
    inputs: tuple[InputRecord, ...]
    attributes: dict[str, Any]
    a_status: str
    b_status: str
    reason: str | None = None
    plan: dict[str, Any] | None = None
    a_blocks: tuple[Number, ...] = ()
    b_blocks: tuple[Number, ...] = ()
    a_chirps: tuple[Whole, ...] = ()
    b_chirps: tuple[Whole, ...] = ()
    marked: tuple[Whole, ...] = ()
    ratio: Number | None = None
    a_seconds: Number | None = None
    b_seconds: Number | None = None
    disturbed: bool = False
    outputs_difference: Number | None = None

    @property
    def key(self) -> str:
        """What is compared: the same in each session and for each purpose."""
        return pair_key(self.operator, self.inputs, self.attributes)

    @property
    def worse_status(self) -> str:
        """How the arm ended that was not measured, else "ok"."""
        return self.b_status if self.a_status == "ok" else self.a_status

    def to_json(self) -> str:
        """Return the record as one line of JSON, without NaN."""
        return json.dumps(self.to_mapping(), allow_nan=False, separators=(",", ":"))


def pair_key(
    operator: OperatorRecord, inputs: Sequence[InputRecord], attributes: dict[str, Any]
) -> str:
    """Return the key that a job and its records have in common."""
    given = [item.to_mapping() for item in inputs]
    return digest([operator.to_mapping(), given, attributes])


def pair_from(record: object) -> Pair:
    """Return the pair a JSON object stands for, or raise a UsageError that says what is wrong."""
    if not isinstance(record, dict):
        raise UsageError("not a JSON object")
    if record.get("schema") != SCHEMA:
        found = str(record.get("schema"))[:40]
        raise UsageError(f"unknown record version {found!r}; of a pair this opperf reads {SCHEMA}")
    if missing := sorted({*Pair.__struct_fields__} - set(record)):
        raise UsageError(f"the record lacks {', '.join(missing)}")
    pair = record_part(record, Pair)
    check_pair(pair)
    return pair


def check_pair(pair: Pair) -> None:
    """Refuse a record that contradicts itself."""
    if pair.purpose not in PURPOSES:
        allowed = ", ".join(PURPOSES)
        raise UsageError(f"unknown purpose {quote_value(pair.purpose)}; allowed: {allowed}")
    milliseconds_of(pair.started_at)
    if pair.operator.threads is None:
        raise UsageError("field 'operator.threads' is missing")
    timed = pair.ratio is not None
    if timed != (pair.a_status == pair.b_status == "ok"):
        raise UsageError("field 'ratio' must be there where both arms were measured, only there")
    if timed and not all((seconds or 0) > 0 for seconds in (pair.a_seconds, pair.b_seconds)):
        raise UsageError("fields 'a_seconds' and 'b_seconds' must be above 0 beside a ratio")
