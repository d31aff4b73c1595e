"""The record of a pair: one operator in two arms, in one session of fresh processes.

History of the format:

* opperf.pair/1 (2026-11): the first; since then that of a comparison of times.
* opperf.pair/2 (2026-11): adds `metric`, which a comparison of another metric has and no blocks.
* opperf.pair/3 (2026-11): adds `subject`, which a pair has that is of no declared operator.
* opperf.pair/4 (2026-11): adds `arm`, which a pair has that is of one of several arms; it may have
  what the two before it have.
"""

from __future__ import annotations

import json
from statistics import median
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, UnsetType

from opperf.core.errors import UsageError
from opperf.core.moments import milliseconds_of
from opperf.core.results.conversion import quote_value, record_part
from opperf.core.results.identity import digest
from opperf.core.results.older_names import name_in_keys, renamed
from opperf.core.results.parts import InputRecord, Number, OperatorRecord, Part, Whole

if TYPE_CHECKING:
    from collections.abc import Sequence

SCHEMA, METRIC_SCHEMA, SUBJECT_SCHEMA = "opperf.pair/1", "opperf.pair/2", "opperf.pair/3"
ARM_SCHEMA = "opperf.pair/4"
SCHEMAS = (SCHEMA, METRIC_SCHEMA, SUBJECT_SCHEMA, ARM_SCHEMA)
OWN = {METRIC_SCHEMA: {"metric"}, SUBJECT_SCHEMA: {"subject"}, ARM_SCHEMA: {"arm"}}
"""The field that each version has added, and has."""
UNTRIED = ("unsupported", "skipped")
"""How an arm ends that is not asked to call what it does not have, or has no memory for."""
PURPOSES = ("comparison", "control", "confirmation")
"""B against A; A against A, where nothing may be found; B against A again, in fresh sessions."""


class PairMetric(Part, frozen=True, kw_only=True):
    """A metric in both arms: its values in the order in which they were taken, in turns.

    `reason` says why there are none.
    """

    name: str
    unit: str
    better: str | None
    a: tuple[Number, ...]
    b: tuple[Number, ...]
    reason: str | None = None

    @property
    def medians(self) -> tuple[float, float]:
        """The value of either arm, where there is one."""
        return median(self.a), median(self.b)


class PairSubject(Part, frozen=True, kw_only=True):
    """What a pair is of that is no declared operator: a call, or a network's whole step.

    `values` says how tensors are filled where that is stated, or what a network is made from.
    """

    kind: str
    values: str | None = None


class Pair(Part, frozen=True, kw_only=True):
    """One operator in both arms in one session: the seconds of all blocks, and what they make.

    Blocks are net seconds per iteration in time order, chirps the nanoseconds of the probe beside
    them; `marked` are the positions of the pairs that something else disturbed, `ratio` is the
    logarithm of B over A, None where an arm failed. Of several arms A is the reference, and B is
    `arm`: in a control the reference itself.
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
    metric: PairMetric | UnsetType = UNSET
    subject: PairSubject | UnsetType = UNSET
    arm: str | UnsetType = UNSET

    @property
    def values(self) -> PairMetric | None:
        """The metric, where both arms have values of it."""
        return self.metric if self.metric is not UNSET and self.metric.a else None

    @property
    def absence(self) -> str | None:
        """Why an arm has no value of the metric, where that is so."""
        return self.metric.reason if self.metric is not UNSET else None

    @property
    def is_measured(self) -> bool:
        """Whether both arms were."""
        return self.ratio is not None or self.values is not None

    @property
    def may_be_untried(self) -> bool:
        """Whether an arm may lack it by its nature: a call's overload, or one of several arms'."""
        return self.subject is not UNSET or self.arm is not UNSET

    @property
    def untried(self) -> str | None:
        """The status of an arm in which a call could not be tried, None where both could."""
        statuses = (self.a_status, self.b_status)
        return next((status for status in statuses if status in UNTRIED), None)

    @property
    def key(self) -> str:
        """What is compared: the same in each session and for each purpose."""
        return pair_key(self.operator, self.inputs, self.attributes, self.subject)

    @property
    def worse_status(self) -> str:
        """How the arm ended that was not measured, else "ok"."""
        return self.b_status if self.a_status == "ok" else self.a_status

    def to_json(self) -> str:
        """Return the record as one line of JSON, without NaN."""
        return json.dumps(self.to_mapping(), allow_nan=False, separators=(",", ":"))


def pair_key(
    operator: OperatorRecord,
    inputs: Sequence[InputRecord],
    attributes: dict[str, Any],
    subject: PairSubject | UnsetType = UNSET,
) -> str:
    """Return the key that a job and its records have in common."""
    given = [item.to_mapping() for item in inputs]
    named = {**operator.to_mapping(), "name": name_in_keys(operator.name)}
    beside = [] if subject is UNSET else [subject.to_mapping()]
    return digest([named, given, attributes, *beside])


def pair_from(record: object) -> Pair:
    """Return the pair a JSON object stands for, or raise a UsageError that says what is wrong."""
    if not isinstance(record, dict):
        raise UsageError("not a JSON object")
    if record.get("schema") not in SCHEMAS:
        found, known = (
            str(record.get("schema"))[:40],
            f"{', '.join(SCHEMAS[:-1])} and {SCHEMAS[-1]}",
        )
        raise UsageError(f"unknown record version {found!r}; of a pair this opperf reads {known}")
    own = set().union(*OWN.values()) - OWN.get(record["schema"], set())
    if missing := sorted({*Pair.__struct_fields__} - own - set(record)):
        raise UsageError(f"the record lacks {', '.join(missing)}")
    pair = record_part(renamed(record), Pair)
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
    check_version(pair)
    if pair.metric is not UNSET:
        check_metric(pair, pair.metric)
        return
    timed = pair.ratio is not None
    if timed != (pair.a_status == pair.b_status == "ok"):
        raise UsageError("field 'ratio' must be there where both arms were measured, only there")
    if timed and not all((seconds or 0) > 0 for seconds in (pair.a_seconds, pair.b_seconds)):
        raise UsageError("fields 'a_seconds' and 'b_seconds' must be above 0 beside a ratio")


def check_version(pair: Pair) -> None:
    """Refuse a record that has a field of another version, or lacks one of its own."""
    if (pair.arm is not UNSET) != (pair.schema == ARM_SCHEMA):
        raise UsageError(f"field 'arm' must be there in {ARM_SCHEMA}, only there")
    if pair.schema == ARM_SCHEMA:
        return
    if (pair.subject is not UNSET) != (pair.schema == SUBJECT_SCHEMA):
        raise UsageError(f"field 'subject' must be there in {SUBJECT_SCHEMA}, only there")
    if pair.schema != SUBJECT_SCHEMA and (pair.metric is UNSET) == (pair.schema == METRIC_SCHEMA):
        raise UsageError(f"field 'metric' must be there in {METRIC_SCHEMA}, only there")


def check_metric(pair: Pair, metric: PairMetric) -> None:
    """Refuse a record of a metric that contradicts itself."""
    if pair.ratio is not None:
        raise UsageError("field 'ratio' is of times, and must be null beside a metric")
    if len(metric.a) != len(metric.b):
        raise UsageError("fields 'metric.a' and 'metric.b' must be of the same length")
    works = pair.a_status == pair.b_status == "ok"
    if bool(metric.a) != (works and metric.reason is None):
        raise UsageError("field 'metric.a' must have values where both arms have, only there")
