"""The stored record: to one line of JSON, back, and refused where it is not one."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from opperf.core.configuration.settings import Settings
from opperf.core.errors import UsageError
from opperf.core.frameworks.registry import find_framework
from opperf.core.results.identity import SCHEMA, digest
from opperf.core.results.metrics import metrics_of
from opperf.core.results.reading import SINCE, from_mapping
from opperf.core.results.status import STATUSES, TIMED, TROUBLE
from opperf.measuring.attempt import Attempt
from opperf.operators.arithmetic.arithmetic import Add
from tests.records import changed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.results.result import Result


FUSION: Mapping[str, Any] = {
    "kernels": ["conv"],
    "parts": ["0" * 16],
    "traffic_bytes": 8,
    "bandwidth": 1e9,
}


@pytest.fixture(scope="module")
def ok() -> Result:
    """Return the record of a real measurement, as it is read back."""
    operator, settings = Add(size="small"), Settings(runs=6, warmup=0)
    (result,) = Attempt(operator, find_framework("numpy"), "cpu", settings).results(
        [("only", "forward")]
    )
    return from_mapping(json.loads(changed(result, status="ok").to_json()))


def written(result: Result, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record's JSON with changed fields, which "a.b" names within an object."""
    record = json.loads(result.to_json())
    for path, value in changes.items():
        name, _, inner = path.partition(".")
        record[name] = {**record[name], inner: value} if inner else value
    return record


def test_a_record_survives_the_round_trip(ok: Result) -> None:
    """What is written is one line, and reads back as the same record."""
    line = ok.to_json()
    assert "\n" not in line
    assert from_mapping(json.loads(line)) == ok
    fused = changed(ok, fusion=FUSION)
    assert from_mapping(json.loads(fused.to_json())) == fused


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_record_holds_no_nan(ok: Result, value: float) -> None:
    """JSON has no NaN: writing one is an error, not a file that others cannot read."""
    with pytest.raises(ValueError, match="JSON"):
        replace(ok, flop_rate=value).to_json()


@pytest.mark.parametrize("status", STATUSES)
def test_only_an_ok_or_noisy_record_has_a_time(ok: Result, status: str) -> None:
    """A time next to any other status is not shown as one."""
    seconds = changed(ok, status=status).seconds
    assert seconds == (ok.summary.median if status in TIMED else None)


@pytest.mark.parametrize("status", STATUSES)
def test_only_an_ok_record_with_an_interval_is_reliable(ok: Result, status: str) -> None:
    """A noisy time is shown and not relied on; no more is one without an interval."""
    summary = {"interval": [1e-6, 2e-6]}
    kept = changed(ok, status=status, summary=summary)
    assert kept.reliable == (status == "ok")
    assert kept.interval == ((1e-6, 2e-6) if status in TIMED else None)
    unknown = changed(kept, summary={**summary, "interval": None})
    assert not unknown.reliable
    assert unknown.interval is None
    assert not changed(kept, summary=None).reliable


def test_a_record_without_a_summary_has_no_time(ok: Result) -> None:
    """Nothing measured is None, never zero."""
    assert changed(ok, summary=None).seconds is None


def test_statuses_are_timed_troubled_or_neither() -> None:
    """No status is both, and what is left is neither a time nor a fault."""
    assert not set(TIMED) & set(TROUBLE)
    assert set(STATUSES) - set(TIMED) - set(TROUBLE) == {"no_time", "unsupported", "skipped"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("schema", "opperf.result/99"),
        ("schema", None),
        ("status", "fine"),
        ("status", 1),
        ("operator", None),
        ("operator", {"name": "Add"}),
        ("operator.framework", 5),
        ("inputs", {}),
        ("inputs", [3]),
        ("inputs", [{}]),
        ("summary", None),
        ("summary", {}),
        ("summary", []),
        ("summary.median", "fast"),
        ("summary.median", None),
        ("summary.median", True),
        ("summary.median", math.inf),
        ("summary.median", math.nan),
        ("summary.median", 10**400),
        ("samples", 5),
        ("samples.left_out", 1e300),
        ("samples.null", 1e301),
        ("samples.iterations", 0),
        ("summary.precision", 1e301),
        ("summary.warnings", [{"code": 5, "message": ""}]),
        ("inputs", [{"name": "lhs", "shape": [2], "dtype": "float32", "nbytes": "x"}]),
        ("started_at", "abc"),
        ("started_at", "9999-12-31T23:59:00-14:00"),
        ("environment.python", []),
        ("environment.affinity", [None]),
        ("memory.outputs", "x"),
        ("noise.marked", []),
        ("roof", {"bound": "flop"}),
        ("correctness", {"max_abs_error": "x"}),
        ("environment", None),
        ("tags", "nightly"),
        ("session", "1"),
        ("series_key", None),
        ("fusion", []),
        ("fusion", {"kernels": ["conv"]}),
        ("fusion", {**FUSION, "kernels": 2}),
        ("fusion", {**FUSION, "kernels": [2]}),
        ("fusion", {**FUSION, "parts": [["Conv2D"]]}),
        ("fusion", {**FUSION, "traffic_bytes": 10**400}),
        ("fusion", {**FUSION, "bandwidth": "fast"}),
    ],
)
def test_what_is_no_record_is_refused(ok: Result, field: str, value: object) -> None:
    """The error names the field, so that a damaged line can be found."""
    with pytest.raises(UsageError) as caught:
        from_mapping(written(ok, {field: value}))
    expected = field.partition(".")[0], SCHEMA, "is no time", "is out of range"
    assert any(words in str(caught.value) for words in expected)


def test_a_record_of_the_first_version_is_read(ok: Result) -> None:
    """What that version did not measure is None; all else is as it was written."""
    record = written(ok, {"schema": "opperf.result/1"})
    for name in ("roof", "device_times", "counters", "noise", "fusion", "metrics", "subject"):
        del record[name]
    read = from_mapping(record)
    assert read == changed(ok, roof=None, device_times=None, counters=None, noise=None, metrics=())
    assert read.schema == SCHEMA


def test_a_record_of_the_second_version_is_read(ok: Result) -> None:
    """It lacks what fusing is judged by."""
    record = written(ok, {"schema": "opperf.result/2"})
    del record["fusion"]
    read = from_mapping(record)
    assert (read.fusion, read.noise, read.schema) == (None, ok.noise, SCHEMA)


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_a_record_of_an_earlier_version_has_a_subject_and_metrics(ok: Result, version: int) -> None:
    """Its subject is its operator, and its metrics are those of its fields."""
    record = written(ok, {"schema": f"opperf.result/{version}"})
    for name, since in SINCE.items():
        if since > version:
            del record[name]
    read = from_mapping(record)
    assert (read.subject.kind, read.subject.name) == ("operator", ok.operator.name)
    assert read.schema == SCHEMA
    assert metrics_of(read)["time"].value == ok.seconds
    del record["inputs"]
    with pytest.raises(UsageError, match="the record lacks inputs"):
        from_mapping(record)


def test_a_record_lacks_nothing_that_its_version_has(ok: Result) -> None:
    """What came with a version is missing where it is not there."""
    record = written(ok, {})
    del record["metrics"], record["fusion"]
    with pytest.raises(UsageError, match="lacks fusion, metrics"):
        from_mapping(record)


@pytest.mark.parametrize("record", [None, 5, "x", [], {}])
def test_other_json_is_refused(record: object) -> None:
    """Only an object of this schema is a record."""
    with pytest.raises(UsageError):
        from_mapping(record)


def test_missing_fields_are_named(ok: Result) -> None:
    """All of them at once."""
    record = written(ok, {})
    del record["status"], record["inputs"]
    with pytest.raises(UsageError, match="inputs, status"):
        from_mapping(record)


def test_the_parts_of_a_record_can_be_read_by_keys_as_well(ok: Result) -> None:
    """As when they were mappings: scripts of users do so."""
    assert ok.operator["name"] == ok.operator.name
    assert {**ok.operator, "name": "Other"}["framework"] == ok.operator.framework
    assert "companion" not in {**ok.operator}


def test_further_fields_are_ignored(ok: Result) -> None:
    """A record written by a later opperf of the same schema can be read."""
    assert from_mapping(written(ok, {"colour": "green"})) == ok


def test_a_failed_record_needs_no_summary(ok: Result) -> None:
    """What has no time is still a record."""
    failed = changed(ok, status="failed", reason="RuntimeError: no", samples=None, summary=None)
    assert from_mapping(json.loads(failed.to_json())) == failed


def test_the_key_tells_rows_of_a_plan_apart(ok: Result) -> None:
    """Equal for another measurement of the same, different for any other row."""
    again = changed(ok, result_id="d" * 32, started_at="later", summary={"median": 9.0})
    assert again.key == ok.key
    others = [
        changed(ok, operator={name: "other"})
        for name in ("name", "framework", "direction", "device", "size")
    ]
    others += [changed(ok, seed=1), changed(ok, attributes={"axis": 1})]
    others += [changed(ok, initializer="uniform"), changed(ok, inputs=())]
    others += [changed(ok, operator={"fused": True})]
    assert len({result.key for result in (ok, *others)}) == len(others) + 1


def test_a_digest_stands_for_the_value_not_its_spelling() -> None:
    """The order of keys and the kind of sequence do not matter; the values do."""
    assert digest({"a": 1, "b": (2, 3)}) == digest({"b": [2, 3], "a": 1})
    assert digest({"a": 1}) != digest({"a": 2})
    assert len(digest(None)) == 16
