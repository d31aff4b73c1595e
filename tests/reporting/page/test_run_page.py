"""The data of a run's page: what is drawn, rounded, thinned and left out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.reporting.page.columns import MOST_SAMPLES, columns, compact, samples
from opperf.reporting.page.environment import environment
from opperf.reporting.page.run import run_page

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]


def test_columns_hold_texts_once(make: Make) -> None:
    """A text stands once, a number to five digits, and what is missing is None."""
    found = columns([make(seconds=0.123456789), make(status="failed", seconds=None)])
    assert found["texts"]["framework"] == [["mxnet"], [0, 0]]
    assert found["texts"]["status"] == [["ok", "failed"], [0, 1]]
    assert found["texts"]["reason"] == [[], [None, None]]
    assert found["numbers"]["seconds"] == [0.12346, None]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), None, True, "1"])
def test_what_is_no_number_is_missing(value: Any) -> None:
    """JSON has no NaN, and a page that held one could not be read."""
    assert compact(value) is None


def test_the_frameworks_stand_in_the_order_of_the_table(make: Make) -> None:
    """The first to have a result is what the others are compared with, whatever row is first."""
    backward = [make(direction="backward", framework=name) for name in ("mxnet", "pytorch")]
    results = [backward[0], make(framework="pytorch"), backward[1]]
    assert run_page(results, "a run")["frameworks"] == ["mxnet", "pytorch"]


def test_nan_intervals_are_missing_intervals(make: Make) -> None:
    """They reach the page as None, in the columns and in the pairs."""
    nan = float("nan")
    odd = [
        make(framework=name, summary={**make().summary.to_mapping(), "interval": [nan, nan]})
        for name in ("mxnet", "pytorch")
    ]
    report = run_page(odd, "odd")
    assert report["results"]["numbers"]["low"] == [None, None]
    assert report["pairs"] == [[0, 1, 1.0, None, None, "in noise"]]
    json.dumps(report, allow_nan=False)


def test_at_most_fifty_samples_are_drawn(make: Make) -> None:
    """The first and the last are among them, in time order; disturbed ones are marked."""
    seconds = [1.0 + n / 1000 for n in range(500)]
    taken = {"seconds": seconds, "iterations": 1, "null": 0.0, "left_out": [0, 499]}
    found = samples(make(seconds=1.0, samples=taken))
    assert found is not None
    assert len(found["at"]) == MOST_SAMPLES
    assert found["at"] == sorted(found["at"])
    assert (found["at"][0], found["at"][-1]) == (0, 4990)
    assert found["out"] == [0, 49]


def test_samples_are_net_of_the_loop(make: Make) -> None:
    """The cost of the loop is taken off each call, as from the median."""
    taken = {"seconds": [2.2, 2.4], "iterations": 2, "null": 0.1, "left_out": []}
    assert samples(make(seconds=1.0, samples=taken)) == {"at": [0, 1000], "out": []}


def test_no_time_has_no_samples(make: Make) -> None:
    """A wrong result keeps its samples in the record, and they are not drawn."""
    assert samples(make(status="wrong_result")) is None
    assert samples(make(seconds=0.0)) is None


def test_each_framework_is_compared_with_the_first(make: Make) -> None:
    """With its range; the mean is over what both did."""
    results = [make(framework=name, seconds=s) for name, s in (("a", 1.0), ("b", 2.0), ("c", 4.0))]
    report = run_page([*results, make(name="Only", framework="b")], "three")
    assert [(pair[0], pair[1], pair[2]) for pair in report["pairs"]] == [(0, 1, 2.0), (0, 2, 4.0)]
    labels = {tile["label"]: tile["value"] for tile in report["tiles"]}
    assert labels["geometric mean b / a over 1 reliable pair"] == "2.00"


@pytest.mark.parametrize(
    ("statuses", "level"),
    [([], "bad"), (["ok"], "good"), (["ok", "noisy"], "warn"), (["ok", "crashed"], "bad"),
     (["unsupported"], "good")],
)  # fmt: skip
def test_the_banner(make: Make, statuses: list[str], level: str) -> None:
    """What is worst decides."""
    results = [make(name=f"Op{n}", status=status) for n, status in enumerate(statuses)]
    assert run_page(results, "a run")["banner"]["level"] == level


def test_a_sweep_has_its_fixed_cost(campaign: list[Result]) -> None:
    """Of every operator, framework and direction, where four sizes show it."""
    fits = run_page(campaign, "a run")["fits"]
    assert len(fits) == 12
    assert {fit["unit"] for fit in fits} == {"B"}
    assert sorted({round(fit["overhead"], 6) for fit in fits}) == [2e-6, 2e-5]


def test_environments_side_by_side() -> None:
    """First what a reader asks for first; what passes from one moment to the next is left out."""
    one = {"zeta": None, "os": "Debian", "cpu": "A", "load_average": [1.0]}
    other = {"cpu": "B", "packages": {"torch": "2.13"}, "gpu": []}
    found = environment({"mxnet": [one], "pytorch": [other]})
    assert found == {
        "columns": ["mxnet", "pytorch"],
        "rows": [["cpu", "A", "B"], ["os", "Debian", None], ["packages.torch", None, "2.13"]],
        "first": 3,
    }


def test_a_fact_that_changed_lists_its_values() -> None:
    """Some of them, and how many more there are."""
    found = environment({"a": [{"threads": n} for n in range(1, 7)]})
    assert found is not None
    assert found["rows"] == [["threads", "1; 2; 3; and 3 more"]]


def test_no_facts_are_no_card(make: Make) -> None:
    """The page then says so."""
    assert environment({"a": [make().environment]}) is None
