"""The record of a pair: one operator in two arms, in one session of fresh processes.

History of the format:

* opperf.pair/1 (2026-11): the first.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError
from opperf.core.results.result import digest
from opperf.core.results.validation import (
    INPUT_FIELDS,
    NOTHING,
    NUMBER,
    TEXT,
    WHOLE,
    check_fields,
    check_numbers,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SCHEMA = "opperf.pair/1"
PURPOSES = ("comparison", "control", "confirmation")
"""B against A; A against A, where nothing may be found; B against A again, in fresh sessions."""
FIELDS: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(
        ("result_id", "run_id", "purpose", "started_at", "opperf_version", "a_status", "b_status"),
        TEXT,
    ),
    "session": WHOLE,
    "operator": (dict,),
    "inputs": (list,),
    "attributes": (dict,),
    "reason": TEXT + NOTHING,
    "plan": (dict, *NOTHING),
    "a_blocks": (list,),
    "b_blocks": (list,),
    "a_chirps": (list,),
    "b_chirps": (list,),
    "marked": (list,),
    "a_seconds": NUMBER + NOTHING,
    "b_seconds": NUMBER + NOTHING,
    "disturbed": (bool,),
    "outputs_difference": NUMBER + NOTHING,
}
OPERATOR_FIELDS: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("name", "category", "framework", "direction", "device"), TEXT),
    "size": TEXT + NOTHING,
    "fused": (bool, *NOTHING),
    "threads": WHOLE,
}


@dataclass(frozen=True, kw_only=True)
class Pair:
    """One operator in both arms in one session: the seconds of all blocks, and what they make.

    Blocks are net seconds per iteration in time order, chirps the nanoseconds of the canary beside
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
    """Refuse a record whose fields have the wrong types or contradict each other."""
    check_fields("", record, FIELDS)
    check_fields("operator.", record["operator"], OPERATOR_FIELDS)
    for item in record["inputs"]:
        check_fields("inputs[].", item, INPUT_FIELDS)
    if record["purpose"] not in PURPOSES:
        raise UsageError(f"unknown purpose {record['purpose']!r}; allowed: {', '.join(PURPOSES)}")
    for name in ("a_blocks", "b_blocks"):
        check_numbers(name, record[name], NUMBER)
    for name in ("a_chirps", "b_chirps", "marked"):
        check_numbers(name, record[name], WHOLE)
    timed = record["ratio"] is not None
    if timed != (record["a_status"] == record["b_status"] == "ok"):
        raise UsageError("field 'ratio' must be there where both arms were measured, only there")
    if timed:
        times = [record["a_seconds"], record["b_seconds"]]
        check_numbers("ratio, a_seconds, b_seconds", [record["ratio"], *times], NUMBER)
        if not min(times) > 0:
            raise UsageError("fields 'a_seconds' and 'b_seconds' must be above 0")
