"""Several results as a pandas.DataFrame, for people who analyze them."""

from __future__ import annotations

import sys

import pandas as pd
import pytest

from opperf.core.errors import NotInstalledError
from opperf.core.results.collection import Results
from opperf.nd import Add
from tests.records import changed


@pytest.fixture(scope="module")
def results() -> Results:
    """Return the results of two sizes of an operator."""
    measured = [
        Add(
            {"lhs": (rows, 8), "rhs": (rows, 8), "run_backward": False},
            framework="numpy",
            runs=6,
            warmup=0,
        ).run_benchmark()
        for rows in (4, 16)
    ]
    return Results(result for results in measured for result in results)


def test_a_frame_has_a_row_a_result(results: Results) -> None:
    """What was run stands beside the time in seconds."""
    frame = results.to_frame()
    assert list(frame["name"]) == ["Add", "Add"]
    assert list(frame["shapes"]) == [[(4, 8), (4, 8)], [(16, 8), (16, 8)]]
    medians = [None if pd.isna(median) else median for median in frame["median"]]
    assert medians == [result.seconds for result in results]
    assert set(frame["framework"]) == {"numpy"}


def test_what_is_no_time_is_missing_from_the_frame(results: Results) -> None:
    """A wrong result's time does not enter a mean."""
    wrong = changed(results[0], status="wrong_result", reason="off by one")
    frame = Results([wrong, results[1]]).to_frame()
    assert list(frame["status"]) == ["wrong_result", results[1].status]
    assert list(pd.isna(frame["median"])) == [True, False]
    assert frame["median"].mean() == pytest.approx(results[1].seconds)


def test_without_pandas_the_remedy_is_named(
    results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no dependency of a measurement, so it may be absent."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(NotInstalledError, match="pip install pandas"):
        results.to_frame()
