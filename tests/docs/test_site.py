"""The documentation as a site: built strictly, and looked at in a browser."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from docs.build_site import OTHERS, PROMISED
from opperf.cli.parser import VERBS
from opperf.core.configuration.options import OPTIONS

if TYPE_CHECKING:
    from pytest import TempPathFactory  # noqa: PT013 - a type

ROOT = Path(__file__).parents[2]
PATIENCE = 500
WIDTHS = (1400, 420)
LOOKED_AT = ("index", "compare", "peers", "api", "notebooks/runs", "search")
"""Prose, code, tables, wide ones, docstrings, outputs, a form."""
METHODS = (
    "opperf.core.frameworks.framework.Framework.load", "opperf.api.run.LoadedRun.to_frame",
    "opperf.api.comparison.RunComparison.plot", "opperf.core.results.result.Result.seconds",
)  # fmt: skip
"""Some of the methods and attributes, of classes that are imported and of such as are returned."""
FITS = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
FOUND = """
const links = [...document.querySelectorAll("#search-results a")];
return links.some((link) => link.href.includes("noise"));
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: TempPathFactory, worker_id: str) -> Path:
    """Return the folder of the site, built once for all processes of the tests."""
    common = tmp_path_factory.getbasetemp()
    folder = (common if worker_id == "master" else common.parent) / "site"
    folder.mkdir(exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not (folder / "built").exists():
            make_site(folder)
            (folder / "built").touch()
    return folder


def make_site(folder: Path) -> None:
    """Build it with no warning and without a network."""
    offline = dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), "http://127.0.0.1:9")
    done = subprocess.run(
        [sys.executable, ROOT / "docs/build_site.py", folder],
        env={**os.environ, **offline},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr.lower(), done.stderr


def test_every_document_is_a_page_that_is_led_to(site: Path) -> None:
    """By the list at the side, which every page has."""
    docs = ROOT / "docs"
    names = {path.stem for path in (*docs.glob("*.md"), *docs.glob("lab/*.md"))}
    names |= {f"notebooks/{path.stem}" for path in docs.glob("notebooks/*.ipynb")}
    start = (site / "index.html").read_text(encoding="utf-8")
    for name in names:
        assert (site / f"{name}.html").is_file()
        assert f'href="{name}.html"' in start, name


def test_what_is_generated_is_there(site: Path) -> None:
    """The verbs' options, the options' defaults, the schema, the docstrings, the examples."""
    words = {
        "verbs": "--min-effect", "configuration": "OPPERF_BUDGET", "records": "series_key",
        "api": "effect", "examples": "measure_one.py",
    }  # fmt: skip
    for page, word in words.items():
        assert word in (site / f"{page}.html").read_text(encoding="utf-8"), page


def test_a_notebook_is_a_page_with_what_it_shows(site: Path) -> None:
    """Its tables and its plots; python.md leads there."""
    page = (site / "notebooks/runs.html").read_text(encoding="utf-8")
    assert page.count("<img ") >= 3
    assert "<th>operator" in page
    assert 'href="notebooks/runs.html"' in (site / "python.html").read_text(encoding="utf-8")


def test_the_reference_is_complete(site: Path) -> None:
    """Every verb, every option of the configuration, every name that is promised, with methods."""
    verbs, options, names = (
        (site / f"{page}.html").read_text(encoding="utf-8")
        for page in ("verbs", "configuration", "api")
    )
    assert [verb for verb in VERBS if f">opperf {verb}<" not in verbs] == []
    assert [
        one.name for one in OPTIONS if f"<code>{one.variable}</code>" not in plain(options)
    ] == []
    text = (ROOT / "docs/stability.md").read_text(encoding="utf-8")
    promised = [name for row in PROMISED.findall(text) for name in re.findall(r"`([\w.]+)`", row)]
    assert [name for name in promised if f'id="{name}"' not in names] == [*OTHERS]
    for method in METHODS:
        assert f'id="{method}"' in names, method


def plain(page: str) -> str:
    """Return a page whose code stands in nothing but `code`."""
    return re.sub(r'<code[^>]*><span class="pre">([^<]*)</span></code>', r"<code>\1</code>", page)


def test_a_wrong_link_fails(tmp_path: Path) -> None:
    """Sphinx's warnings are errors."""
    shutil.copy2(ROOT / "docs/site/conf.py", tmp_path)
    (tmp_path / "index.md").write_text("# A\n\n[b](nowhere.md)\n", encoding="utf-8")
    program = "import sys; from pathlib import Path; from docs.build_site import build; "
    program += "sys.exit(build(*map(Path, sys.argv[1:])))"
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path, tmp_path / "out"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode != 0
    assert "nowhere.md" in done.stderr


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible_and_fit(site: Path, chromium: Any, scheme: str) -> None:
    """axe-core finds nothing, and nothing is wider than the window, on a telephone either."""
    axe = pytest.importorskip("axe_core_python.selenium").Axe()
    driver = chromium.driver
    driver.set_script_timeout(PATIENCE)  # the verbs and the Python API are long pages
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    try:
        for width in WIDTHS:
            metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            for page in LOOKED_AT:
                driver.get((site / f"{page}.html").as_uri())
                chromium.ask(axe.axe_script)
                found = driver.execute_async_script("axe.run().then(arguments[0])")
                wrong = [(each["id"], each["nodes"][0]["html"]) for each in found["violations"]]
                assert wrong == [], (page, width)
                assert chromium.ask(FITS), (page, width)
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_a_word_is_found_without_a_server(site: Path, chromium: Any) -> None:
    """The search works on files."""
    chromium.driver.get(f"{(site / 'search.html').as_uri()}?q=neighbors")
    chromium.wait(FOUND)
