"""The data of a network's view: the ranking of its calls, and all that it does not say."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from opperf.reporting.comparison import ComparisonReport
from opperf.reporting.page import network as module
from opperf.reporting.page.comparison import comparison_page
from opperf.reporting.page.document import SCRIPTS_OF_NETWORKS, document, join
from opperf.reporting.page.network import network_view
from opperf.reporting.page.run import run_page
from tests.reporting.networks import USUAL, Timed, network, results_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]


def texts(view: dict[str, Any], name: str) -> list[str | None]:
    """Return a column of texts of the calls."""
    words, codes = view["calls"]["texts"][name]
    return [None if code is None else words[code] for code in codes]


def tiles(view: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Return value and level of each tile by its label."""
    return {tile["label"]: (tile["value"], tile["level"]) for tile in view["tiles"]}


def test_the_calls_stand_as_they_are_ranked() -> None:
    """The dearest first, with what each costs; a call without a time has its reason."""
    view = network_view(network())
    numbers = view["calls"]["numbers"]
    assert texts(view, "operator") == [
        "aten.mm.default", "aten.mm.default", "aten.relu.default", "aten.gone.default"
    ]  # fmt: skip
    assert numbers["count"] == [1, 4, 2, 7]
    assert numbers["total"] == [0.005, 0.004, 0.001, None]
    assert numbers["share"] == [0.5, 0.4, 0.1, None]
    assert numbers["cumulative"] == [0.5, 0.9, 1.0, None]
    assert numbers["reliable"] == [0, 1, 1, 0]
    assert numbers["forward"] == [None, 3, 2, None]
    assert numbers["backward"] == [1, 1, None, None]
    assert numbers["low"][1] == pytest.approx(0.000996)
    assert texts(view, "arguments")[0] == "(9,16) alpha=2 float32"
    assert texts(view, "module")[1] == "encoder.0 and 1 more"
    assert texts(view, "phase") == ["backward", "3 forward, 1 backward", "forward", None]
    assert texts(view, "status") == ["noisy", "ok", "ok", "unsupported"]
    assert texts(view, "reason")[3] == "PyTorch has none"
    assert view["title"] == "toy, training, batch 8, pytorch cpu, 2 threads"


def test_the_sums_by_operator_category_and_module() -> None:
    """With the share of each that rests on times that are not to be relied on."""
    groups = network_view(network())["groups"]
    assert groups["operator"] == [
        ["aten.mm.default", 5, 2, 0.009, 0.9, 0.9, 0.55556],
        ["aten.relu.default", 2, 1, 0.001, 0.1, 1.0, 0.0],
    ]
    assert groups["category"] == [["aten", 7, 3, 0.01, 1.0, 1.0, 0.5]]
    assert [row[:4] for row in groups["module"]] == [
        ["encoder.1", 2, 2, 0.006], ["encoder.0", 5, 2, 0.004]
    ]  # fmt: skip


def test_the_network_stands_beside_its_sum() -> None:
    """Both times with their intervals, and the terminal's line on the difference."""
    view = network_view(network(measured={"seconds": 0.02, "interval": [0.019, 0.021]}))
    assert tiles(view)["the whole network, timed as one, ±5.0%"] == ("20.0 ms", "")
    assert tiles(view)["sum of the calls / whole network"] == ("50%", "warn")
    assert (view["whole"], view["sum"]) == (0.02, 0.01)
    assert any("the sum is 50.0% of it" in line for line in view["lines"])
    close = network_view(network(measured={"seconds": 0.0101}))
    assert tiles(close)["sum of the calls / whole network"] == ("99%", "")
    assert tiles(close)["the whole network, timed as one, ±?"] == ("10.1 ms", "")


@pytest.mark.parametrize("seconds", [None, True, -1, 0, "1", [1], {"a": 1}])
def test_a_time_of_the_network_that_is_none(seconds: object) -> None:
    """The page says that it was not timed, whatever a stranger's file has there."""
    view = network_view(network(measured={"seconds": seconds, "interval": [seconds, "x"]}))
    assert view["whole"] is None
    assert tiles(view)["the whole network: not timed"] == ("\u2013", "")
    assert any(line.startswith("the whole network was not timed") for line in view["lines"])


def test_what_was_not_measured_is_said() -> None:
    """Calls that a filter left out, those without a time, and noisy ones; none is silently gone."""
    left = [Timed("aten.add.Tensor", 5, None, places=[{**USUAL[0].places[0], "count": 5}])]
    view = network_view(network(left_out=left))
    assert texts(view, "operator")[-1] == "aten.add.Tensor"
    assert texts(view, "status")[-1] == "not measured"
    assert texts(view, "arguments")[-1] == "(8,16) alpha=2 float32"
    assert view["calls"]["numbers"]["share"][-1] is None
    assert any(
        line.startswith("not measured, or left out by -k: 5 calls") for line in view["lines"]
    )
    assert "no time of 7 aten.gone.default, unsupported: PyTorch has none" in view["lines"]
    assert tiles(view)["calls of a step that have a time"] == ("7 of 19", "warn")
    assert tiles(view)["of the sum rest on times not to be relied on"] == ("50%", "warn")


def test_calls_of_the_file_that_could_not_be_read_are_said() -> None:
    """They are in no list, for nobody knows what they are."""
    found = replace(network(), wrong_calls=3)
    assert "left out of the file: 3 calls" in network_view(found)["lines"]


def test_a_network_of_which_nothing_has_a_time() -> None:
    """No share of nothing, and no group."""
    view = network_view(network([Timed(seconds=None, status="failed")]))
    assert view["calls"]["numbers"]["share"] == [None]
    assert view["groups"] == {"operator": [], "category": [], "module": []}
    assert view["roofs"] == {"flop": [], "bytes": []}
    json.dumps(view, allow_nan=False)


def test_roofs_are_those_that_were_met() -> None:
    """The fastest and the slowest memory; none where no peaks were measured."""
    slow = {"bound": "bytes", "rate": 2e9}
    roofs = network_view(network(roofs=[{"bound": "bytes", "rate": 1e10}, slow]))["roofs"]
    assert roofs == {"flop": [], "bytes": [1e10, 2e9]}
    assert network_view(network(roofs=[]))["roofs"] == {"flop": [], "bytes": []}


def test_the_last_of_very_many_rows_are_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what they come to."""
    monkeypatch.setattr(module, "MOST_ROWS", 2)
    view = network_view(network())
    assert texts(view, "operator") == ["aten.mm.default", "aten.mm.default"]
    assert view["lines"][-1].startswith(
        "the last 2 distinct calls of the ranking, 10.0% of the sum"
    )


def test_ten_thousand_calls_stay_small() -> None:
    """The view of a network with 10,000 distinct calls takes less than 2.5 MB of the page."""
    calls = [
        Timed(f"aten.operator{at % 90}.default", 1 + at % 7, 1e-3 + at * 1.2345e-7, rows=at + 1,
              places=[{"module": f"encoder.layer.{at % 300}", "phase": "forward", "count": 1}])
        for at in range(10_000)
    ]  # fmt: skip
    view = network_view(network(calls))
    assert len(view["calls"]["numbers"]["count"]) == 10_000
    assert len(json.dumps(view, separators=(",", ":"))) < 2.5e6


def test_a_page_of_operators_has_nothing_of_networks(make: Make) -> None:
    """Neither data nor scripts nor styles: it is what it was before there were networks."""
    page = document(run_page([make()], "a run"))
    script = join("script", SCRIPTS_OF_NETWORKS)
    assert script not in page
    assert "network" not in run_page([make()], "a run")
    found = network()
    assert script in document(run_page(results_of(found), "a run", [found]))


def test_a_comparison_of_runs_of_calls_has_the_views_of_both() -> None:
    """Beside the verdicts."""
    comparison = ComparisonReport(
        verdicts=[], min_effect=0.1, networks=[network(run="one"), network(run="two")]
    )
    assert [view["run"] for view in comparison_page(comparison)["networks"]] == ["one", "two"]


def test_hostile_texts_of_a_calls_file_are_one_line(hostile: str) -> None:
    """Modules and the network's name come from strangers; nothing of them obeys a terminal."""
    place = {"module": hostile, "phase": "forward", "count": 1}
    found = network([Timed(places=[place], more={"reason": hostile})], network=hostile)
    text = json.dumps(network_view(found), ensure_ascii=False)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\\n" not in text
