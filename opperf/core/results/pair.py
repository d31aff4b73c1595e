"""The record of a pair: one operator in two arms, in one session of fresh processes.

History of the format:

* opperf.pair/1 (2026-11): the first.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError
from opperf.core.moments import milliseconds_of
from opperf.core.results.forms import (
    ANY_OBJECT,
    NUMBER,
    TEXT,
    TRUTH,
    WHOLE,
    Form,
    check,
    list_of,
    object_of,
)
from opperf.core.results.result import digest
from opperf.core.results.validation import INPUT, OPERATOR

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SCHEMA = "opperf.pair/1"
PURPOSES = ("comparison", "control", "confirmation")
"""B against A; A against A, where nothing may be found; B against A again, in fresh sessions."""
FORM = Form({
    **dict.fromkeys(
        ("result_id", "run_id", "purpose", "started_at", "opperf_version", "a_status", "b_status"),
        TEXT,
    ),
    "session": WHOLE,
    "operator": object_of(
        Form({**OPERATOR.fields, "implementation": TEXT.or_absent, "threads": WHOLE})
    ),
    "inputs": list_of(INPUT),
    "attributes": ANY_OBJECT,
    "reason": TEXT.or_null,
    "plan": ANY_OBJECT.or_null,
    **dict.fromkeys(("a_blocks", "b_blocks"), list_of(NUMBER)),
    **dict.fromkeys(("a_chirps", "b_chirps", "marked"), list_of(WHOLE)),
    **dict.fromkeys(("ratio", "a_seconds", "b_seconds", "outputs_difference"), NUMBER.or_null),
    "disturbed": TRUTH,
})  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Pair:
    """One operator in both arms in one session: the seconds of all blocks, and what they make.

    Blocks are net seconds per iteration in time order, chirps the nanoseconds of the probe beside
    them; `marked` are the positions of the pairs that something else disturbed, `ratio` is the
    logarithm of B over A, None where an arm failed.
    """

    schema: str = SCHEMA
    result_id: str
    run_id: str
    session: int
    purpose: str
    started_at: str
    opperf_version: str
    operator: Mapping[str, Any]
    inputs: tuple[Mapping[str, Any], ...]
    attributes: Mapping[str, Any]
    a_status: str
    b_status: str
    reason: str | None = None
    plan: Mapping[str, Any] | None = None
    a_blocks: tuple[float, ...] = ()
    b_blocks: tuple[float, ...] = ()
    a_chirps: tuple[int, ...] = ()
    b_chirps: tuple[int, ...] = ()
    marked: tuple[int, ...] = ()
    ratio: float | None = None
    a_seconds: float | None = None
    b_seconds: float | None = None
    disturbed: bool = False
    outputs_difference: float | None = None

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
        return json.dumps(asdict(self), allow_nan=False, separators=(",", ":"))


def pair_key(
    operator: Mapping[str, Any], inputs: Sequence[Mapping[str, Any]], attributes: Mapping[str, Any]
) -> str:
    """Return the key that a job and its records have in common."""
    return digest([operator, inputs, attributes])


def pair_from(record: object) -> Pair:
    """Return the pair a JSON object stands for, or raise a UsageError that says what is wrong."""
    if not isinstance(record, dict):
        raise UsageError("not a JSON object")
    if record.get("schema") != SCHEMA:
        found = str(record.get("schema"))[:40]
        raise UsageError(f"unknown record version {found!r}; of a pair this opperf reads {SCHEMA}")
    known = {item.name for item in fields(Pair)}
    if missing := sorted(known - set(record)):
        raise UsageError(f"the record lacks {', '.join(missing)}")
    check_pair(record)
    tuples = ("inputs", "a_blocks", "b_blocks", "a_chirps", "b_chirps", "marked")
    chosen: dict[str, Any] = {
        name: tuple(record[name]) if name in tuples else record[name] for name in known
    }
    return Pair(**chosen)


def check_pair(record: Mapping[str, Any]) -> None:
    """Refuse a record that is not of the form, or that contradicts itself."""
    check("", record, FORM)
    if record["purpose"] not in PURPOSES:
        shown = record["purpose"][:40]
        raise UsageError(f"unknown purpose {shown!r}; allowed: {', '.join(PURPOSES)}")
    milliseconds_of(record["started_at"])
    timed = record["ratio"] is not None
    if timed != (record["a_status"] == record["b_status"] == "ok"):
        raise UsageError("field 'ratio' must be there where both arms were measured, only there")
    if timed and not all((record[name] or 0) > 0 for name in ("a_seconds", "b_seconds")):
        raise UsageError("fields 'a_seconds' and 'b_seconds' must be above 0 beside a ratio")
