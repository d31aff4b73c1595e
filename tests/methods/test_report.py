"""What a method may report, and when it fails by it."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import numpy as np
import pytest

from opperf.core.errors import UsageError
from opperf.methods.benchmark import Benchmark
from opperf.methods.report import MethodMetric, make_report


@pytest.mark.parametrize(
    ("value", "least", "most", "fails"),
    [
        (80, 90, 99, True),
        (100, 90, 99, True),
        (90, 90, 99, False),
        (99, 90, 99, False),
        (80, None, 99, False),
        (100, 90, None, False),
        (100, None, 99, True),
        (80, None, None, False),
        (nan, 90, 99, True),
        (nan, None, 99, True),
        (nan, 90, None, True),
        (nan, None, None, True),
        (80, nan, None, True),
        (80, None, nan, True),
        (inf, 90, None, False),
        (inf, None, 99, True),
        (None, 90, None, True),
    ],
)
def test_a_value_beyond_its_bounds_fails(
    value: float | None, least: float | None, most: float | None, *, fails: bool
) -> None:
    """Bounds are allowed themselves; NaN fails without any, and no bound is NaN."""
    entry = {"name": "m", "value": value, "min_value": least, "max_value": most}
    report = make_report({"metrics": [entry]})
    assert bool(report.faults()) is fails
    assert all("m " in fault and "\n" not in fault for fault in report.faults())


def test_the_last_report_and_all_of_its_numbers_are_kept() -> None:
    """Of NumPy as well; what has an argument of its own has its unit."""
    one = Benchmark(output_dir="o", root_data_dir="d", later=1)
    one.report_benchmark(
        iters=np.int64(3), wall_time=np.float32(1.5), metrics=[{"name": "a", "value": np.ones(())}],
        extras={"b": 2}, cpu_time=0.5, throughput=10,
    )  # fmt: skip
    (report,) = one.reports
    assert (report.iterations, report.wall_time, report.seconds) == (3, 1.5, 1.5)
    found = {metric.name: (metric.value, metric.unit) for metric in report.metrics}
    assert found == {
        "a": (1.0, "1"), "b": (2.0, "1"), "cpu_time": (0.5, "s"), "throughput": (10.0, "1/s"),
    }  # fmt: skip
    assert (one.output_dir, one.root_data_dir, one.arguments) == ("o", "d", {"later": 1})


def test_extras_may_be_json_that_says_whether_it_succeeded() -> None:
    """As PerfZero reads them; another text is words about something without a value."""
    extras = {
        "good": '{"value": 1, "succeeded": true}',
        "bad": b'{"value": 2, "succeeded": false, "description": "too slow"}',
        "words": "of any kind",
        "list": "[1]",
    }
    report = make_report({"extras": extras})
    assert report.faults() == ["bad did not succeed: too slow"]
    assert [metric.value for metric in report.metrics] == [1.0, 2.0, None, None]
    assert report.metrics[2] == MethodMetric(name="words", description="of any kind")


@pytest.mark.parametrize("iters", [-1, 0, None])
@pytest.mark.parametrize("seconds", [-1, None, nan])
def test_what_nobody_knows_is_none(iters: int | None, seconds: float | None) -> None:
    """TensorFlow has -1 for it."""
    report = make_report({"iters": iters, "wall_time": seconds})
    assert (report.iterations, report.wall_time, report.seconds) == (None, None, None)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"wall_time": "1 s"}, "wall_time='1 s': must be a number"),
        ({"wall_time": [1]}, "must be a number"),
        ({"iters": 1.5}, "whole number"),
        ({"iters": 1e300}, "whole number"),
        ({"metrics": 5}, "must be a list of objects"),
        ({"metrics": {"name": "a", "value": 1}}, "must be a list of objects"),
        ({"metrics": ["a"]}, "object with name and value"),
        ({"metrics": [{"name": "a"}]}, "object with name and value"),
        ({"metrics": [{"name": "", "value": 1}]}, "1 to 200 characters"),
        ({"metrics": [{"name": "a" * 201, "value": 1}]}, "1 to 200 characters"),
        ({"metrics": [{"name": "a", "value": "1"}]}, "a='1': must be a number"),
        ({"metrics": [{"name": "a", "value": 1, "min_value": "0"}]}, "min_value of a='0'"),
        ({"metrics": [{"name": "a", "value": 1}] * 2}, "'a' is given twice"),
        ({"extras": {"a": 1}, "metrics": [{"name": "a", "value": 1}]}, "'a' is given twice"),
        ({"extras": [1]}, "must be a dict"),
        ({"extras": {"a": object()}}, "must be a number"),
        ({"extras": {"a": '{"value": "x"}'}}, "must be a number"),
        ({"metrics": [{"name": f"m{at}", "value": 1} for at in range(10_001)]}, "at most 10000"),
    ],
)
def test_a_wrong_report_is_refused_where_it_is_made(fields: dict[str, Any], said: str) -> None:
    """By a ValueError of one line that names what is wrong."""
    with pytest.raises(UsageError, match="report_benchmark") as caught:
        make_report(fields)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, ValueError)
