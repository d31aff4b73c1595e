"""One flat object a result."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from opperf.core.results.status import STATUSES, TIMED
from opperf.reporting.rows import FIELDS, flat

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]

TIMES = ("seconds", "low", "high", "precision", "n", "first_call", "flop_rate", "byte_rate")


def test_a_result_is_flat(make: Make) -> None:
    """Every field is a number, a text, a truth or missing."""
    row = flat(make(attributes={"k": 10}, fused=False, warnings=["drift", "outliers"]))
    assert tuple(row) == FIELDS
    assert all(value is None or isinstance(value, (str, int, float)) for value in row.values())
    assert row["operator"] == "Dot"
    assert row["inputs"] == "(1024,1024)x2"
    assert row["attributes"] == "k=10"
    assert row["fused"] is False
    assert row["seconds"] == 0.0312
    assert row["precision"] == 0.004
    assert row["first_call"] == 0.5
    assert row["output_bytes"] == 4 * 2**20
    assert row["warnings"] == "drift outliers"
    json.dumps(row, allow_nan=False)


def test_a_gpu_has_three_figures(make: Make) -> None:
    """The device's is the headline; a row that has no time has none of the others either."""
    times = {"submit": 1e-5, "device": 2e-6, "latency": 1.4e-5, "graph": True}
    row = flat(make(device="cuda:0", device_times=times))
    assert (row["submit"], row["latency"], row["graph"]) == (1e-5, 1.4e-5, True)
    failed = flat(make(status="wrong_result", device_times=times))
    assert (failed["submit"], failed["latency"]) == (None, None)
    assert flat(make())["graph"] is None


def test_memory_and_instructions_are_numbers_of_their_own(make: Make) -> None:
    """What was found is shown, nothing found is missing, and a zero is a zero."""
    memory = {"outputs": 4096, "workspace": 0, "saved": 8192}
    row = flat(make(memory=memory, counters={"instructions": 1234.5}))
    assert (row["output_bytes"], row["workspace_bytes"], row["saved_bytes"]) == (4096, 0, 8192)
    assert row["instructions"] == 1234.5
    row = flat(make(memory={"outputs": None, "workspace": None, "saved": None}))
    assert (row["output_bytes"], row["workspace_bytes"], row["saved_bytes"]) == (None,) * 3
    assert row["instructions"] is None


def test_kernels_are_counted_where_they_are_known(make: Make) -> None:
    """An operator with one form only has none, and what was not counted is missing."""
    fusion = {"kernels": ["conv", "relu"], "parts": [], "traffic_bytes": None, "bandwidth": None}
    assert flat(make(fusion=fusion))["kernels"] == 2
    assert flat(make(fusion={**fusion, "kernels": None}))["kernels"] is None
    assert flat(make())["kernels"] is None


def test_what_has_no_time_has_no_numbers(make: Make) -> None:
    """Missing is None for every status but ok and noisy, and never zero."""
    for status in set(STATUSES) - set(TIMED):
        row = flat(make(status=status, reason="why"))
        assert [row[name] for name in TIMES] == [None] * len(TIMES)
        assert row["reason"] == "why"


def test_a_missing_interval_leaves_the_time(make: Make) -> None:
    """Only its ends and the precision are missing."""
    row = flat(make(precision=None))
    assert row["seconds"] == 0.0312
    assert (row["low"], row["high"], row["precision"]) == (None, None, None)


def test_no_inputs_and_no_attributes_are_missing(make: Make) -> None:
    """An empty text would be a shape that was given."""
    row = flat(make(shapes=()))
    assert (row["inputs"], row["dtype"], row["attributes"], row["warnings"]) == (None,) * 4


def test_mixed_dtypes_are_all_named(make: Make) -> None:
    """Indices beside floats."""
    inputs = (
        {"name": "data", "shape": [3], "dtype": "int64"},
        {"name": "weight", "shape": [5, 3], "dtype": "float32"},
    )
    assert flat(make(inputs=inputs))["dtype"] == "int64 float32"


def test_what_is_no_finite_number_is_missing(make: Make) -> None:
    """A record from elsewhere must not put NaN into an array of JSON."""
    row = flat(make(flop_rate=float("nan"), memory={"outputs": "many"}))
    assert (row["flop_rate"], row["output_bytes"]) == (None, None)
