"""Single views in a real browser: failures of a comparison, ticks, gaps, and very many results."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.results.quantity import MetricRecord
from opperf.history import model
from opperf.reporting.charts import ChartPoint, HistoryChart
from opperf.reporting.comparison import ComparisonReport
from opperf.reporting.page.comparison import comparison_page
from opperf.reporting.page.history import history_page
from opperf.reporting.page.run import run_page
from opperf.reporting.page.stored import chart_of
from opperf.reporting.verdicts import verdicts_from
from tests.records import changed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.results.result import Result
    from opperf.reporting.verdicts import Verdict

    Make = Callable[..., Result]
    Load = Callable[[Mapping[str, Any]], None]

DAY = 86_400_000
NULLS = """
const option = historyOption(histories.find((history) => history.gaps.length));
return [option.series[0].data.filter(({ value }) => value[1] === null).length,
  option.series[0].markArea.data.length];
"""


def texts(browser: Any, selector: str) -> list[str]:
    """Return the texts of all elements that a selector finds."""
    asked = "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)"
    found: list[str] = browser.ask(asked, selector)
    return found


def test_failures_of_a_comparison(browser: Any, load: Load, verdicts: list[Verdict]) -> None:
    """What newly fails, is wrong or fails in both arms stands there, with the command for it."""
    arms = ComparisonReport(
        verdicts=verdicts, min_effect=0.02, names=(".", "X=1 Y=2"), interleaved=True,
        environments=[[{"env_vars": {}}], [{"env_vars": {"X": "1"}}]],
        command="opperf ab --a .", began="no time at all",
    )  # fmt: skip
    load(comparison_page(arms))
    heads = ["mxnet newly fails: newly_fails", "mxnet wrong result: wrong_result"]
    found = texts(browser, "#failures h3")
    assert [head.partition(" forward")[0] for head in found] == [*heads, "mxnet fails: fails"]
    assert texts(browser, "#failures code")[0] == (
        "opperf ab --a . --b 'X=1 Y=2' -k 'name=newly_fails and direction=forward' "
        "--framework mxnet --size small"
    )
    assert "env_vars.X" in texts(browser, "#environment td")
    assert "Began no time at all UTC." in browser.ask("return document.body.innerText")
    browser.ask("document.getElementById('filter').focus()")
    browser.type("wrong")
    browser.settle()
    assert len(texts(browser, "#failures h3")) == 1
    assert [dict(entry) for entry in browser.logs("browser")] == []


def test_a_comparison_in_which_nothing_fails(
    browser: Any, load: Load, verdicts: list[Verdict]
) -> None:
    """The page says that it speaks of verdicts; what it cannot have is named in one line."""
    load(comparison_page(ComparisonReport(verdicts=verdicts[:3], min_effect=0.02)))
    assert "Failures: no verdict tells of one." in texts(browser, "#absent li")
    assert any(line.endswith(": of one run (opperf report RUN).") for line in texts(browser, "li"))


def test_slower_counts_once_it_is_confirmed(
    browser: Any, load: Load, verdicts: list[Verdict]
) -> None:
    """Two runs confirm nothing, and so their rows are hollow."""
    load(comparison_page(ComparisonReport(verdicts=verdicts, min_effect=0.02)))
    kinds = browser.ask(
        "return [true, false, null].map((c) => kindOfVerdict({ verdict: 'slower', confirmed: c }))"
    )
    assert kinds == ["slower", "slower (not confirmed)", "slower (not confirmed)"]


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.97, 1.03, [0.97, 0.98, 0.99, 1, 1.01, 1.02, 1.03]),
        (0.8, 1.3, [0.8, 0.9, 1, 1.1, 1.2, 1.3]),
        (0.9, 6, [1, 1.5, 2, 3, 5]),
        (0.02, 3, [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2]),
        (0.001, 5, [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3]),
        (1e-12, 1e12, [1e-10, 1e-5, 1, 1e5, 1e10]),
    ],
)
def test_ticks_of_ratios(
    browser: Any, load: Load, make: Make, low: float, high: float, ticks: list[float]
) -> None:
    """Numbers that people read, at most nine, and 1 among them."""
    load(run_page([make()], "any"))
    assert browser.ask("return ratioTicks(arguments[0], arguments[1])", low, high) == ticks


def test_labels_of_axes_have_no_idle_zeros(browser: Any, load: Load, make: Make) -> None:
    """Whole numbers keep theirs."""
    load(run_page([make()], "any"))
    given = ["10.0 ms", "1.50 us", "100 us", "0.100 %", "1.00", "2.05 GB"]
    found = browser.ask("return arguments[0].map(trimmed((text) => text))", given)
    assert found == ["10 ms", "1.5 us", "100 us", "0.1 %", "1", "2.05 GB"]


def stored(machine: str, gaps: Sequence[model.Gap] = ()) -> HistoryChart:
    """Return a history of six days as a store tells it."""
    subject = model.SeriesSubject(
        name=machine, operator="Dot", category="gemm", framework="mxnet", direction="forward",
        device="cpu", size=None, inputs=(), attributes={}, series_key="a", definition_key="b",
        machine_key=machine, cpu="Some CPU",
    )  # fmt: skip
    points = tuple(model.Point(at=day * DAY, value=1e-3) for day in (1, 2, 3, 30, 31, 32))
    return chart_of(model.History(subject=subject, points=points, gaps=tuple(gaps)))


def test_a_gap_of_a_store_breaks_the_line(browser: Any, load: Load) -> None:
    """Also where no failed session lies within it; two machines have two names."""
    gap = model.Gap(start=3 * DAY, end=30 * DAY)
    load(history_page([stored("first", [gap]), stored("second")], "1970-01-01"))
    assert browser.ask(NULLS) == [1, 1]
    assert texts(browser, "#history option")[0] == "Dot mxnet forward machine first"
    tiles = dict(zip(texts(browser, ".tiles dt"), texts(browser, ".tiles dd"), strict=True))
    assert (tiles["gaps"], tiles["sessions without a time"]) == ("1", "0")


def test_a_history_that_has_no_time(browser: Any, load: Load) -> None:
    """It says so; there is no chart of nothing."""
    points = [ChartPoint(at="2026-10-01T00:00:00+00:00", median=None, label="crashed")]
    what = {"framework": "mxnet", "direction": "forward", "inputs": ""}
    load(history_page([HistoryChart(operator="Dot", points=points, **what)], "2026-10-01"))
    assert "1 of 1 have no time." in browser.ask("return document.body.innerText")
    assert browser.ask("return document.querySelector('#history .chart').hidden")


def test_ten_thousand_results(browser: Any, load: Load, make: Make) -> None:
    """All are there, and the filter finds one of them."""
    report = run_page([make(name=f"Operator{number}") for number in range(10_000)], "many")
    json.dumps(report, allow_nan=False)
    load(report)
    browser.ask("document.getElementById('filter').focus()")
    browser.type("operator9999")
    browser.settle()
    assert texts(browser, "#found") == ["1 of 10000 results"]
    assert texts(browser, "#raw tbody td:first-child") == ["Operator9999"]


def test_intervals_that_are_no_numbers(browser: Any, load: Load, make: Make) -> None:
    """Each view is drawn without them."""
    nan = float("nan")
    summary = {**make().summary.to_mapping(), "interval": [nan, nan], "precision": nan}
    load(run_page([make(framework=name, summary=summary) for name in ("a", "b")], "odd"))
    assert texts(browser, "#raw tbody td:nth-child(9)") == ["\u2013", "\u2013"]
    assert [dict(entry) for entry in browser.logs("browser")] == []


def test_charts_wait_for_the_last_key(browser: Any, load: Load, campaign: list[Result]) -> None:
    """A key changes the count at once, and no chart before typing has paused."""
    load(run_page(campaign, "typed"))
    label = "document.querySelector('#coverage .chart').ariaLabel"
    asked = f"""
        const input = document.getElementById("filter"), before = {label};
        input.value = "sum";
        input.dispatchEvent(new Event("input"));
        return [document.getElementById("found").textContent, {label} === before];
    """
    assert browser.ask(asked) == ["16 of 57 results", True]
    browser.settle()
    assert browser.ask(f"return {label}").startswith("Outcomes of 16 rows")


def test_the_table_has_a_column_a_metric(browser: Any, load: Load, make: Make) -> None:
    """In its unit; of those that no result has there is none."""
    metrics = [
        MetricRecord(name="energy", unit="J", value=5.2e-3, better="less", per="call"),
        MetricRecord(name="heat", unit="K", value=None, better="less", per="call", reason="no"),
    ]
    memory = {"outputs": 64, "workspace": 4096, "saved": 0}
    load(run_page([changed(make(), metrics=metrics, memory=memory), make(name="Exp")], "r"))
    heads, cells = texts(browser, "#raw th"), texts(browser, "#raw tbody td")
    rows = [dict(zip(heads, cells[at : at + len(heads)], strict=True)) for at in (0, len(heads))]
    assert "heat" not in heads
    found = sorted((row["energy"], row["workspace"], row["peak memory"]) for row in rows)
    assert found == [("5.20 mJ", "4.10 kB", "4.16 kB"), ("\u2013", "\u2013", "\u2013")]


def test_a_comparison_of_another_metric_has_its_unit(browser: Any, load: Load) -> None:
    """In the table and beside the points; exact values have no interval."""
    row = {"framework": "mxnet", "direction": "forward", "metric": "peak_memory", "unit": "B"}
    rows = verdicts_from([
        {**row, "operator": "Exp", "verdict": "worse", "a_value": 4096, "b_value": 8192,
         "difference": 4096, "ratio": 2.0, "exact": True, "confirmed": True},
        {**row, "operator": "Log", "verdict": "worse", "a_value": 0, "b_value": 8192,
         "difference": 8192, "exact": True},
    ])  # fmt: skip
    load(comparison_page(ComparisonReport(verdicts=rows, min_effect=0.02)))
    text = browser.ask("return document.querySelector('#forest').textContent")
    assert "peak memory of B over that of A" in text
    browser.ask("document.querySelector('#forest details').open = true")
    browser.settle()
    cells = texts(browser, "#forest td")
    assert {"4.10 kB", "8.19 kB", "0 B", "exact"} <= {*cells}
    assert "worse (not confirmed)" in cells
