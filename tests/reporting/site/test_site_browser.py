"""The site in a real browser, opened from files: drawn, filtered, sorted, accessible, quiet."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.reporting.site.naming import page_of
from tests.readers.documents import AB, ARMS
from tests.reporting.conftest import HOSTILE
from tests.reporting.site.conftest import OPERATORS, write_site

if TYPE_CHECKING:
    from pathlib import Path

    from tests.reporting.site.conftest import Folder

LEFT = "return [...document.querySelectorAll('#operators tbody tr')].filter((r) => !r.hidden)"
NAMES = f"{LEFT}.map((row) => row.cells[0].textContent)"
SORT = "document.querySelectorAll('#operators th button')[arguments[0]].click()"
INK = """
const [canvas] = document.querySelectorAll("#history canvas");
const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
return new Set(data).size;
"""
FITS = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
TYPED = """
const field = document.getElementById("filter");
field.value = arguments[0];
field.dispatchEvent(new Event("input"));
"""
KINDS = ("index", "operator", "run", "comparison", "arms")


@pytest.fixture
def browser(chromium: Any) -> Any:
    """Return the browser with a wide window and nothing logged yet."""
    chromium.resize(1400)
    for kind in ("browser", "performance"):
        chromium.logs(kind)
    return chromium


@pytest.fixture
def pages(nights: Path, tmp_path: Path) -> dict[str, Path]:
    """Return a page of each kind."""
    site = tmp_path / "site"
    done = write_site(site, nights)
    assert done.returncode == 0, done.stderr
    return {
        "index": site / "index.html",
        "operator": site / page_of("operators", "Add"),
        "run": max(site.glob("runs/*.html")),
        "comparison": site / page_of("comparisons", AB),
        "arms": site / page_of("comparisons", ARMS),
    }


def test_the_index_is_filtered_and_sorted(browser: Any, pages: dict[str, Path]) -> None:
    """By words, in every table; by a heading, in both ways."""
    browser.open(pages["index"])
    assert browser.ask(NAMES) == [*OPERATORS]
    browser.ask(TYPED, "exp")
    assert browser.ask(NAMES) == ["Exp"]
    assert browser.ask("return document.getElementById('found').textContent").startswith("1 of ")
    browser.ask(TYPED, "no such thing")
    assert browser.ask(NAMES) == []
    browser.ask(TYPED, "")
    browser.ask(SORT, 0)
    browser.ask(SORT, 0)
    assert browser.ask(NAMES) == [*reversed(OPERATORS)]
    browser.ask(SORT, 2)
    browser.ask(SORT, 2)
    assert browser.ask(NAMES)[0] == "Add"


def test_links_are_followed_and_charts_drawn(browser: Any, pages: dict[str, Path]) -> None:
    """From the index to an operator, to its newest run, and back to the operator."""
    browser.open(pages["index"])
    browser.ask("document.querySelector('#operators tbody a').click()")
    browser.wait("return document.querySelector('#history canvas') !== null")
    browser.settle()
    assert browser.ask(INK) > 2
    assert browser.ask("return document.querySelector('#history table').innerText").count("1.50")
    browser.ask("document.querySelector('#series tbody a').click()")
    browser.wait("return document.querySelector('#raw tbody a') !== null")
    browser.ask("document.querySelector('#raw tbody a').click()")
    browser.wait("return document.querySelector('#series') !== null")
    browser.settle()
    assert [dict(entry) for entry in browser.logs("browser")] == []


@pytest.mark.parametrize("kind", KINDS)
def test_accessible_quiet_and_no_wider_than_the_window(
    browser: Any, pages: dict[str, Path], kind: str
) -> None:
    """At 1400 and 420 pixels, light and dark: axe finds nothing, and only files are loaded."""
    axe = pytest.importorskip("axe_core_python.selenium").Axe()
    for width in (1400, 420):
        browser.resize(width)
        browser.open(pages[kind])
        browser.ask(axe.axe_script)
        for theme in ("light", "dark"):
            browser.ask("setTheme(arguments[0])", theme)
            browser.settle()
            assert browser.ask(FITS)
            found = browser.driver.execute_async_script("axe.run().then(arguments[0])")
            assert [(v["id"], v["nodes"][0]["html"]) for v in found["violations"]] == []
    assert [dict(entry) for entry in browser.logs("browser")] == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.logs("performance")]
    asked = [m["params"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    addresses = {params["request"]["url"] for params in asked}
    assert all(address.startswith(("file://", "data:", "blob:")) for address in addresses)


def test_tables_need_no_script(browser: Any, pages: dict[str, Path]) -> None:
    """With scripts turned off the tables of index and operator stand; a run says how it went."""
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        for kind, words in (
            ("index", "Add"), ("operator", "Last change"), ("run", "Nothing failed"),
        ):  # fmt: skip
            browser.driver.get(pages[kind].as_uri())
            assert words in browser.driver.find_element("tag name", "main").text
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_the_theme_is_kept_from_page_to_page(browser: Any, pages: dict[str, Path]) -> None:
    """Once it was chosen; a theme that somebody else stored is none."""
    theme = "return document.documentElement.dataset.theme"
    browser.open(pages["index"])
    chosen = "light" if browser.ask(theme) == "dark" else "dark"
    browser.ask("document.getElementById('theme').click()")
    browser.open(pages["run"])
    assert browser.ask(theme) == chosen
    browser.ask("localStorage.setItem('opperf-theme', 'x')")
    browser.open(pages["operator"])
    assert browser.ask(theme) in {"light", "dark"}
    browser.ask("localStorage.clear()")


def test_hostile_names_do_nothing(
    browser: Any, add_night: Folder, runs_dir: Path, tmp_path: Path
) -> None:
    """They are shown as the texts they are, on every page of the site."""
    add_night(0, operators=("__proto__", HOSTILE, "constructor"), command=HOSTILE)
    site = tmp_path / "site"
    assert write_site(site, runs_dir).returncode == 0
    for page in sorted(site.rglob("*.html")):
        browser.open(page)
        assert browser.ask("return document.querySelectorAll('img, b').length") == 0
        assert browser.ask("return ({}).polluted") is None
    assert [dict(entry) for entry in browser.logs("browser")] == []
