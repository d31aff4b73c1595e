"""The view of a network in a real browser: drawn, turned, filtered, sorted, and harmless."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from opperf.reporting.comparison import ComparisonReport
from opperf.reporting.page.comparison import comparison_page
from opperf.reporting.page.run import run_page
from tests.reporting.networks import USUAL, Timed, network, results_of
from tests.reporting.page.test_browser import NAMES, OVERFLOW, SERIES, shows
from tests.reporting.page.test_views import texts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opperf.reporting.network import RankedNetwork
    from opperf.reporting.verdicts import Verdict

    Load = Callable[[Mapping[str, Any]], None]

CHOOSE = """
const select = document.querySelector('#network-0 select');
select.value = arguments[0];
select.dispatchEvent(new Event('change'));
"""
LABELS = (
    "return [...document.querySelectorAll('#network-0 .chart')].map((chart) => chart.ariaLabel)"
)
SIZES = """
const calls = readCalls(report.networks[0].calls).filter(hasRates);
const option = networkRooflineOption(report.networks[0], calls);
return option.series.flatMap(({ type, data }) => (type === "scatter" ? data : []))
  .map(({ symbolSize, call }) => symbolSize ** 2 / call.share);
"""


def page_of(*found: RankedNetwork) -> dict[str, Any]:
    """Return the data of the page of a run of these networks."""
    results = [result for one in found for result in results_of(one)]
    return run_page(results, "20261123T000000-abcdef", found)


def cells(browser: Any, column: int) -> list[str]:
    """Return a column of the view's table."""
    return texts(browser, f"#network-0 tbody td:nth-child({column})")


def test_the_view_is_drawn(browser: Any, load: Load) -> None:
    """Both charts in the colors of the phases, the terminal's lines, and the ranking as a table."""
    load(page_of(network(measured={"seconds": 0.02})))
    assert shows(browser, "network-0", *SERIES["light"])
    bar, roofline = browser.ask(LABELS)
    assert bar.startswith("Cumulative bar of the dearest 3 of 3 rows, call by call: 100.0 %")
    assert roofline.startswith("Roofline of 3 distinct calls")
    assert texts(browser, "#network-0 thead th")[:4] == ["rank", "operator", "arguments", "count"]
    assert cells(browser, 2) == [
        "aten.mm.default", "aten.mm.default", "aten.relu.default", "aten.gone.default"
    ]  # fmt: skip
    assert cells(browser, 5) == ["! 5.00 ms", "1.00 ms", "500 us", "\u2013"]
    assert cells(browser, 8) == ["50.0 %", "40.0 %", "10.0 %", "\u2013"]
    assert cells(browser, 14)[3] == "PyTorch has none"
    said = texts(browser, "#network-0 .said li")
    assert "the whole network takes 20.0 ms: the sum is 50.0% of it, 10.0 ms less" in said
    notes = texts(browser, "#network-0 figcaption")
    assert "1 row (7 calls) without a time has no bar" in notes[0]
    assert browser.ask("return document.getElementById('roofline')") is None
    assert [dict(entry) for entry in browser.logs("browser")] == []


def test_areas_are_shares(browser: Any, load: Load) -> None:
    """On the roofline the area of each call is in proportion to its share of the time."""
    load(page_of(network()))
    areas = browser.ask(SIZES)
    assert len(areas) == 3
    assert areas == pytest.approx([areas[0]] * 3)


@pytest.mark.parametrize(
    ("by", "rows"),
    [
        ("operator", ["aten.mm.default", "aten.relu.default"]),
        ("category", ["aten"]),
        ("module", ["encoder.1", "encoder.0"]),
    ],
)
def test_the_calls_are_summed_up(browser: Any, load: Load, by: str, rows: list[str]) -> None:
    """By what is chosen; the bar and the table follow."""
    load(page_of(network()))
    browser.ask(CHOOSE, by)
    assert cells(browser, 1) == rows
    assert f"rows, by {by}: 100.0 %" in browser.ask(LABELS)[0]
    browser.ask(CHOOSE, "call")
    assert len(cells(browser, 1)) == len(USUAL)


def test_the_table_is_sorted_filtered_and_turned(browser: Any, load: Load) -> None:
    """Twenty rows at a time; what is missing stays last; shares stay those of the whole sum."""
    calls = [Timed("aten.mm.default", 1, 1e-3 * (at + 1), rows=at + 1) for at in range(30)]
    load(page_of(network([*calls, USUAL[3]])))
    assert len(cells(browser, 1)) == 20
    browser.ask("document.querySelector('#network-0 .pager button:last-child').click()")
    assert cells(browser, 2)[-1] == "aten.gone.default"
    heads = "document.querySelectorAll('#network-0 thead button')"
    browser.ask(f"{heads}[7].click(); {heads}[7].click()")
    assert browser.ask(f"return {heads}[7].parentNode.ariaSort") == "ascending"
    assert cells(browser, 3)[0].startswith("(1,16)")
    browser.ask("document.getElementById('filter').focus()")
    browser.type("(30,16)")
    browser.settle()
    assert cells(browser, 1) == ["1"]
    assert cells(browser, 8) == ["6.5 %"]
    browser.type("nobody")
    browser.settle()
    assert texts(browser, "#network-0 figcaption")[0] == "Nothing is left by the filter."


def test_two_networks_have_a_view_each(browser: Any, load: Load) -> None:
    """With their own names, in the contents as well."""
    load(page_of(network(network="one"), network(network="two", measured={"seconds": 1})))
    heads = texts(browser, "section > h2")[:2]
    assert [head.partition(",")[0] for head in heads] == ["Network: one", "Network: two"]
    assert texts(browser, "#contents a")[:2] == heads
    assert "beyond the edge" in texts(browser, "#network-1 figcaption")[0]
    assert browser.ask("return document.documentElement.dataset.drawn") == "all"


def test_a_comparison_has_the_views_below_its_verdicts(
    browser: Any, load: Load, verdicts: list[Verdict]
) -> None:
    """There is no list of results on that page."""
    networks = [network(run="one"), network(run="two")]
    load(comparison_page(ComparisonReport(verdicts=verdicts, min_effect=0.1, networks=networks)))
    ids = browser.ask("return [...document.querySelectorAll('section')].map((one) => one.id)")
    assert ids[:4] == ["summary", "forest", "network-0", "network-1"]
    assert [dict(entry) for entry in browser.logs("browser")] == []


def test_what_a_network_lacks_is_said(browser: Any, load: Load) -> None:
    """No roofs, no rates, no time at all: a line in the place of a chart."""
    load(page_of(network(roofs=[])))
    assert "No peaks were measured on this machine" in texts(browser, "#network-0 figcaption")[1]
    load(page_of(network([replace(USUAL[0], more={"flop_rate": None})])))
    note = texts(browser, "#network-0 figcaption")[1]
    assert note.startswith("1 distinct call, 100.0 % of the sum, is left out")
    load(page_of(network([Timed(seconds=None, status="failed")])))
    assert texts(browser, "#network-0 figcaption")[0].startswith("None of these rows has a time")


def test_the_cheapest_of_very_many_calls_are_no_circles(browser: Any, load: Load) -> None:
    """A thousand are drawn; the note says what the others come to, and the table has them."""
    calls = [Timed("aten.mm.default", 1, 1e-3, rows=at + 1) for at in range(1003)]
    load(page_of(network(calls)))
    assert browser.ask(LABELS)[1].startswith("Roofline of 1000 distinct calls")
    assert (
        "3 cheaper calls, 0.3 % of the sum, are not drawn."
        in texts(browser, "#network-0 figcaption")[1]
    )
    assert "1 to 20 of 1003 rows" in texts(browser, "#network-0 .pager span")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1400])
def test_nothing_is_wider_than_the_window(browser: Any, load: Load, width: int, theme: str) -> None:
    """On a telephone as on a screen."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        load(page_of(network(measured={"seconds": 0.02})))
        browser.ask("setTheme(arguments[0])", theme)
        browser.settle()
        assert browser.ask("return innerWidth") == width
        assert browser.ask(OVERFLOW)
        assert shows(browser, "network-0", *SERIES[theme])
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_hostile_names_do_nothing(browser: Any, load: Load, hostile: str) -> None:
    """Modules, reasons, and the network's name are a stranger's; they are shown as texts."""
    names = [*NAMES, hostile, "{name|a}", "constructor"]
    calls = [
        Timed("aten.mm.default", 1, None if at % 3 == 0 else 1e-3, rows=at + 1,
              status="failed" if at % 3 == 0 else "ok", more={"reason": name},
              places=[{"module": name, "phase": "forward", "count": 1}])
        for at, name in enumerate(names)
    ]  # fmt: skip
    calls += [Timed("__proto__"), Timed("constructor")]
    load(page_of(network(calls, network=hostile), network(network="__proto__")))
    for by in ("operator", "category", "module", "call"):
        browser.ask(CHOOSE, by)
    assert browser.ask("return document.querySelectorAll('img, b, script').length") == 3
    assert "<img src=x" in browser.ask("return document.querySelector('#network-0').innerText")
    assert browser.ask("return ({}).polluted") is None
    assert browser.ask(OVERFLOW)
    assert [dict(entry) for entry in browser.logs("browser")] == []
