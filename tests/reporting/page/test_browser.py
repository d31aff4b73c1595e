"""The page in a real browser: drawn, filtered, sorted, themed, and harmless."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from opperf.reporting.comparison import ComparisonReport
from opperf.reporting.page.comparison import comparison_page
from opperf.reporting.page.history import history_page
from opperf.reporting.page.run import run_page
from tests.records import changed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opperf.core.results.result import Result
    from opperf.reporting.charts import HistoryChart
    from opperf.reporting.verdicts import Verdict

    Make = Callable[..., Result]
    Load = Callable[[Mapping[str, Any]], None]

RUN_CHARTS = ("sides", "heatmap", "scaling", "roofline", "strip", "noise", "coverage")
INK = """
const found = new Set();
for (const canvas of document.querySelectorAll(`#${arguments[0]} canvas`)) {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3] > 150) found.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
}
return [...found].map((ink) => [ink >> 16, (ink >> 8) & 255, ink & 255]);
"""
COUNT = """
const { data } = document.querySelector(`#${arguments[0]} canvas`).getContext("2d")
  .getImageData(0, 0, 1200, 420);
const wanted = arguments[1].match(/[0-9a-f]{2}/g).map((two) => parseInt(two, 16));
let count = 0;
for (let at = 0; at < data.length; at += 4)
  if (wanted.every((part, index) => Math.abs(part - data[at + index]) < 7)) count += 1;
return count;
"""
OVERFLOW = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
CELLS = """
const rows = [...document.querySelectorAll("#raw tbody tr")];
return rows.map((row) => row.cells[arguments[0]].textContent);
"""
LAST = """
const next = document.querySelector("#table .pager button:last-child");
while (!next.disabled) next.click();
"""
MISSING = "\u2013"
GREEN, HATCH, LOW = "#009e73", "#8c959f", "#2166ac"
SERIES = {"light": ("#0072b2", "#d55e00"), "dark": ("#56b4e9", "#e69f00")}
"""The colors of the first two frameworks."""
EXPECTED = {"coverage": (GREEN,), "heatmap": (LOW,), "sides": SERIES["light"][1:]}
"""What a view has instead of the colors of both frameworks."""
LABELS = """
const charts = [...document.querySelectorAll(".chart")].filter((chart) => !chart.hidden);
return charts.map((chart) => chart.ariaLabel);
"""
INKS = """
const hex = (part) => Math.round(part).toString(16).padStart(2, "0");
return [...Array(21).keys()].map((step) => {
  const rgb = mixed(["low", "middle", "high"], step / 20);
  return [`#${rgb.map(hex).join("")}`, inkOn(rgb)];
});
"""


@pytest.fixture
def page(campaign: list[Result]) -> dict[str, Any]:
    """Return the data of a run's page."""
    return run_page(campaign, "20261121T000000-abcdef")


@pytest.fixture
def compared(verdicts: list[Verdict], campaign: list[Result]) -> dict[str, Any]:
    """Return the data of a comparison's page."""
    later = [changed(r, environment={**r.environment, "cpu": "Another"}) for r in campaign]
    return comparison_page(
        ComparisonReport(
            verdicts=verdicts,
            min_effect=0.02,
            names=("one", "two"),
            notes=["mind this"],
            environments=[[r.environment for r in run] for run in (campaign, later)],
        )
    )


def shows(browser: Any, view: str, *colors: str) -> bool:
    """Return whether a view's canvas has pixels of all these colors, give or take the rounding."""
    found = browser.ask(INK, view)
    wanted = [[int(color[at : at + 2], 16) for at in (1, 3, 5)] for color in colors]
    return all(
        any(max(map(abs, map(int.__sub__, ink, rgb))) < 7 for ink in found) for rgb in wanted
    )


def test_every_view_of_a_run_is_drawn(browser: Any, load: Load, page: dict[str, Any]) -> None:
    """Each chart's canvas holds the colors of its series, and each table its rows."""
    load(page)
    for view in RUN_CHARTS:
        expected = EXPECTED.get(view, SERIES["light"])
        assert shows(browser, view, *expected), view
    assert browser.ask("return document.querySelectorAll('#failures article').length") == 6
    assert browser.ask("return document.querySelectorAll('#environment .facts dd').length") >= 4
    assert browser.ask(CELLS, 0)[:1] == ["Add"]
    assert "6 of 57 results failed" in browser.ask("return document.body.innerText")


def test_the_launch_plateau_of_a_sweep(browser: Any, load: Load, page: dict[str, Any]) -> None:
    """A dashed line a framework at its fixed cost, which the caption states."""
    load(page)
    choose = "const s = document.querySelector('#scaling select'); s.value = arguments[0];"
    choose += "s.dispatchEvent(new Event('change'));"
    browser.ask(choose, "Add")
    caption = browser.ask("return document.querySelector('#scaling figcaption').textContent")
    assert "mxnet: fixed cost 20.0 us, then 1.00 TB/s. pytorch: fixed cost 2.00 us" in caption
    with_lines = browser.ask(COUNT, "scaling", SERIES["light"][1])
    browser.ask("report.fits = []")
    browser.ask(choose, "Add")
    assert with_lines > browser.ask(COUNT, "scaling", SERIES["light"][1]) + 300


def test_sessions_stand_apart(browser: Any, load: Load, campaign: list[Result]) -> None:
    """Samples come session after session, and the noise page shows how far sessions differ."""
    sessions = [changed(r, session=n, result_id=f"{n}-{i}")
                for n in (1, 2) for i, r in enumerate(campaign[:8])]  # fmt: skip
    load(run_page(sessions, "sessions"))
    caption = browser.ask("return document.querySelector('#strip figcaption').textContent")
    assert "mxnet, session 1: " in caption
    assert "pytorch, session 2: " in caption
    label = browser.ask("return document.querySelectorAll('#noise .chart')[1].ariaLabel")
    assert label.startswith("Distance of 16 session medians")


def test_missing_cells_are_hatched(browser: Any, load: Load, page: dict[str, Any]) -> None:
    """A cell without a time has the hatch's color, and no color of the scale's low end alone."""
    load(page)
    browser.ask("""
        const select = document.querySelector('#heatmap select');
        select.value = 'gemm';
        select.dispatchEvent(new Event('change'));
    """)
    assert shows(browser, "heatmap", HATCH)


def test_a_comparison_is_drawn(browser: Any, load: Load, compared: dict[str, Any]) -> None:
    """Verdicts in their colors, controls on the noise page, notes and the environments apart."""
    load(compared)
    assert shows(browser, "forest", *SERIES["light"], GREEN)
    assert shows(browser, "noise", GREEN)
    text = browser.ask("return document.body.innerText")
    assert "mind this" in text
    assert "Another" in text
    assert "4 rows have no ratio" in text
    assert "3 confirmed regressions" in text


def test_histories_are_drawn(browser: Any, load: Load, histories: list[HistoryChart]) -> None:
    """The series with a change comes first; its change stands in the table below."""
    load(history_page(histories, "2026-10-01"))
    assert shows(browser, "history", *SERIES["light"])
    text = browser.ask("return document.body.innerText")
    assert "torch 2.12 to 2.13" in text
    assert "2 of 30 have no time" in text
    label = browser.ask("return document.querySelector('#history .chart').ariaLabel")
    assert "Stepped" in label


def test_what_a_run_lacks_is_left_out_with_a_line(browser: Any, load: Load, make: Make) -> None:
    """One operator on one framework: no ratio, no roof, no history, and no empty chart."""
    load(run_page([make()], "small"))
    assert not browser.ask("return document.getElementById('sides')")
    told = browser.ask("return document.getElementById('absent').innerText")
    assert "Frameworks side by side: no two frameworks have a time" in told
    assert "Roofline: no peaks were measured" in told
    assert "Failures: nothing failed" in told


def test_all_failed(browser: Any, load: Load, make: Make) -> None:
    """There are no times; the failures and the table are there, and no error."""
    results = [make(name=f"Op{n}", status="crashed", reason="gone") for n in range(3)]
    load(run_page(results, "failed"))
    assert browser.ask("return document.querySelectorAll('#failures article').length") == 3
    assert not [entry for entry in browser.logs("browser") if entry["level"] == "SEVERE"]


def test_the_filter_by_keys(browser: Any, load: Load, page: dict[str, Any]) -> None:
    """Words narrow the table, the charts and the controls; emptied, everything is back."""
    load(page)
    browser.ask("document.getElementById('filter').focus()")
    browser.type("sum PYTORCH back")
    browser.settle()
    assert browser.ask("return document.getElementById('found').textContent") == "4 of 57 results"
    assert set(browser.ask(CELLS, 0)) == {"Sum"}
    assert set(browser.ask(CELLS, 2)) == {"pytorch"}
    options = "return [...document.querySelector('#strip select').options].map(o => o.text)"
    assert all(text.startswith("Sum") for text in browser.ask(options))
    browser.type("\ue003" * len("sum PYTORCH back"))
    browser.settle()
    assert browser.ask("return document.getElementById('found').textContent") == "57 of 57 results"


def test_a_filter_that_leaves_nothing(browser: Any, load: Load, page: dict[str, Any]) -> None:
    """Charts give way to a line; nothing is drawn as zero."""
    load(page)
    browser.ask("document.getElementById('filter').focus()")
    browser.type("nosuchoperator")
    browser.settle()
    assert browser.ask("return [...document.querySelectorAll('.chart')].every(c => c.hidden)")
    assert "Nothing is left" in browser.ask("return document.getElementById('scaling').innerText")


def test_sorting_by_clicks_and_keys(browser: Any, load: Load, page: dict[str, Any]) -> None:
    """A number sorts from the largest; again from the smallest; what is missing stays last."""
    load(page)
    heading = "document.querySelectorAll('#raw th button')[7]"
    browser.driver.execute_script(f"{heading}.click()")
    first = browser.ask(CELLS, 7)
    assert first[0] == "31.2 ms"
    browser.ask(LAST)
    assert browser.ask(CELLS, 7)[-1] == MISSING
    browser.ask(f"{heading}.focus()")
    browser.type("\ue007")
    second = browser.ask(CELLS, 7)
    assert second[0] != first[0]
    browser.ask(LAST)
    assert browser.ask(CELLS, 7)[-1] == MISSING
    assert browser.ask(f"return {heading}.parentNode.ariaSort") == "ascending"


def test_the_theme_by_click_and_key(browser: Any, load: Load, page: dict[str, Any]) -> None:
    """Charts are drawn again in the colors of the other theme."""
    load(page)
    button = browser.driver.find_element("id", "theme")
    button.click()
    browser.settle()
    assert browser.ask("return document.documentElement.dataset.theme") == "dark"
    assert shows(browser, "sides", SERIES["dark"][1])
    browser.ask("document.getElementById('theme').focus()")
    browser.type(" ")
    assert browser.ask("return document.documentElement.dataset.theme") == "light"
    assert shows(browser, "sides", SERIES["light"][1])


def test_everything_is_reached_by_tab(browser: Any, load: Load, page: dict[str, Any]) -> None:
    """Tab goes first to the link that skips the head, then to filter, theme and contents."""
    load(page)
    browser.ask("document.activeElement.blur()")
    reached = []
    for _ in range(4):
        browser.type("\ue004")
        reached.append(browser.ask("const e = document.activeElement; return e.id || e.hash"))
    assert reached == ["#content", "filter", "theme", "#environment"]


def test_what_is_taken_away(browser: Any, load: Load, page: dict[str, Any]) -> None:
    """The download holds what the filter leaves, with formulas disarmed."""
    load(page)
    rows = browser.ask("return asJson(results.filter(row => row.operator === 'Sum'))")
    assert len(json.loads(rows)) == 16
    assert browser.ask("return csvCell('=cmd()')") == "'=cmd()"
    assert browser.ask("return csvCell('a,\"b\"')") == '"a,""b"""'
    header = browser.ask("return asCsv(results).split('\\n')[0]")
    assert header.split(",")[0] == "operator"
    assert {"inputs", "seconds", "low", "high"} <= {*header.split(",")}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["run", "comparison", "history"])
def test_accessible_in_both_themes(
    browser: Any, load: Load, views: Mapping[str, dict[str, Any]], kind: str, theme: str
) -> None:
    """axe-core finds no contrast below 4.5 and no control without a name."""
    axe = pytest.importorskip("axe_core_python.selenium").Axe()
    load(views[kind])
    browser.ask("setTheme(arguments[0])", theme)
    browser.ask("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    browser.settle()
    browser.ask(axe.axe_script)
    found = browser.driver.execute_async_script("axe.run().then(arguments[0])")
    assert [(v["id"], v["nodes"][0]["html"]) for v in found["violations"]] == []
    assert "color-contrast" in {rule["id"] for rule in found["passes"]}
    labels = browser.ask(LABELS)
    assert labels
    assert all(labels)


@pytest.mark.parametrize("kind", ["run", "comparison", "history"])
def test_nothing_is_wider_than_the_window(
    browser: Any, load: Load, views: Mapping[str, dict[str, Any]], kind: str
) -> None:
    """Wide tables scroll within themselves, and charts follow the window."""
    load(views[kind])
    assert browser.ask(OVERFLOW)
    browser.resize(800)
    browser.wait(OVERFLOW)


@pytest.fixture
def views(
    page: dict[str, Any], compared: dict[str, Any], histories: list[HistoryChart]
) -> dict[str, dict[str, Any]]:
    """Return the data of a page of each kind."""
    return {
        "run": page,
        "comparison": compared,
        "history": history_page(histories, "2026-10-01"),
    }


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_in_charts_has_contrast(
    browser: Any, load: Load, page: dict[str, Any], theme: str
) -> None:
    """What canvases write on the panel is at least 4.5 : 1, as WCAG 2 computes it."""
    load(page)
    browser.ask("setTheme(arguments[0])", theme)
    panel = browser.ask("return color('panel')")
    for name in ("text", "muted"):
        assert contrast(browser.ask("return color(arguments[0])", name), panel) >= 4.5
    for background, ink in browser.ask(INKS):
        assert contrast(background, ink) >= 4.5


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colors, by WCAG 2.2."""
    lighter, darker = sorted(map(luminance, (one, other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(color: str) -> float:
    """Return the relative luminance of #rrggbb."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("kind", ["run", "comparison", "history"])
def test_no_error_and_no_request(
    browser: Any, load: Load, views: Mapping[str, dict[str, Any]], kind: str
) -> None:
    """The console stays empty, and the only thing ever loaded is the file itself."""
    load(views[kind])
    browser.ask("setTheme('dark')")
    browser.ask("document.querySelectorAll('summary').forEach(s => s.click())")
    browser.settle()
    assert [dict(entry) for entry in browser.logs("browser")] == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.logs("performance")]
    asked = [m["params"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    addresses = {params["request"]["url"] for params in asked}
    assert all(address.startswith(("file://", "data:", "blob:")) for address in addresses)
    assert len([address for address in addresses if address.startswith("file://")]) == 1


NAMES = (
    "</script><img src=x onerror=alert(1)>",
    "<!--<script>",
    "';alert(1);//\"",
    "=cmd()|`$(id)`",
    "__proto__",
    "constructor",
    "\u202eevil\x1b[2J\n",
    "&lt;b&gt;",
    "N" * 10_000,
)


def test_hostile_names_do_nothing(browser: Any, load: Load, make: Make, hostile: str) -> None:
    """They are shown as the texts they are, in every view; no element comes of them."""
    names = [*NAMES, hostile]
    results = [
        make(name=name, framework=framework, environment={name: name}, attributes={name: name})
        for name in names
        for framework in ("mxnet", "pytorch")
    ]
    results += [make(name=name, status="crashed", reason=name, stderr=name) for name in names]
    load(run_page(results, hostile))
    browser.ask("document.querySelectorAll('summary').forEach(s => s.click())")
    assert browser.ask("return document.querySelectorAll('img, b, script').length") == 3
    assert browser.ask("return document.querySelector('#raw').innerText").count("<img src=x") >= 4
    assert browser.ask("return ({}).polluted") is None
    assert browser.ask(OVERFLOW)
    assert [dict(entry) for entry in browser.logs("browser")] == []


def test_hostile_verdicts_and_histories_do_nothing(
    browser: Any, load: Load, verdicts: list[Verdict], histories: list[HistoryChart], hostile: str
) -> None:
    """Likewise in the other two kinds of page."""
    rows = [replace(v, operator=hostile, inputs=hostile, reason=hostile) for v in verdicts]
    comparison = ComparisonReport(
        verdicts=rows, min_effect=0.02, names=(hostile, hostile), notes=[hostile]
    )
    load(comparison_page(comparison))
    assert browser.ask("return document.querySelectorAll('img').length") == 0
    named = [replace(history, operator=hostile) for history in histories]
    load(history_page(named, hostile))
    assert browser.ask("return document.querySelectorAll('img').length") == 0
    assert [dict(entry) for entry in browser.logs("browser")] == []


def test_paper_is_white(browser: Any, load: Load, page: dict[str, Any]) -> None:
    """Printing takes the light theme, draws all views, and gives the screen back as it was."""
    load(page)
    browser.ask("setTheme('dark')")
    browser.ask("dispatchEvent(new Event('beforeprint'))")
    assert browser.ask("return document.documentElement.dataset.theme") == "light"
    assert shows(browser, "coverage", GREEN)
    browser.ask("dispatchEvent(new Event('afterprint'))")
    assert browser.ask("return document.documentElement.dataset.theme") == "dark"
