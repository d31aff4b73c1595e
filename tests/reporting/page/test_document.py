"""The page as a file: whole, small, and able to run nothing but its own scripts."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from opperf.reporting.page import document as module
from opperf.reporting.page.document import (
    SCRIPTS,
    SCRIPTS_OF_ARMS,
    SCRIPTS_OF_NETWORKS,
    STYLES,
    STYLES_OF_ARMS,
    STYLES_OF_NETWORKS,
    document,
)
from opperf.reporting.page.run import run_page
from tests.records import changed

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]

HERE = Path(module.__file__).parent
ROOT = HERE.parents[2]
DIRECTIONS = ("forward", "forward_recorded", "backward", "forward_backward")
BLOCK = re.compile(r"<script>(.*?)</script>", re.DOTALL)
DATA = re.compile(r'<script id="report" type="application/json">(.*?)</script>', re.DOTALL)


@pytest.fixture
def page(campaign: list[Result]) -> str:
    """Return the page of a run."""
    return document(run_page(campaign, "a run"))


def test_the_policy_names_what_is_there(page: str) -> None:
    """Two scripts and a style sheet by their hashes; everything else is refused."""
    (policy,) = re.findall(r'Content-Security-Policy" content="(.*?)"', page)
    blocks = [*BLOCK.findall(page), *re.findall(r"<style>(.*?)</style>", page, re.DOTALL)]
    digests = [b64encode(sha256(block.encode()).digest()).decode() for block in blocks]
    assert len(digests) == 3
    assert re.findall(r"'sha256-(.*?)'", policy) == digests
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "http" not in policy


def test_it_refers_to_nothing_elsewhere(page: str) -> None:
    """No address is loaded: not by the page, and none is in our own scripts at all."""
    own = page.replace(module.library(), "")
    assert not re.findall(r"\b(?:src|href)=\"(?!#)", own)
    assert not re.findall(r"https?://|//# source", own)


def test_the_scripts_set_texts_only() -> None:
    """None of our own files writes markup or runs a text."""
    for path in [*HERE.glob("script/*.js")]:
        found = re.findall(
            r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|new Function|\.style\s*=",
            path.read_text(encoding="utf-8"),
        )
        assert found == [], path.name


def test_every_file_is_used() -> None:
    """No script or style lies about that the page does not have."""
    assert {path.stem for path in HERE.glob("script/*.js")} == {
        *SCRIPTS,
        *SCRIPTS_OF_NETWORKS,
        *SCRIPTS_OF_ARMS,
    }
    assert {path.stem for path in HERE.glob("style/*.css")} == {
        *STYLES,
        *STYLES_OF_NETWORKS,
        *STYLES_OF_ARMS,
    }


def test_the_library_is_the_one_that_is_named() -> None:
    """Its SHA-256 is stated beside its licenses."""
    vendor = HERE / "vendor"
    digest = sha256((vendor / "echarts.js").read_bytes()).hexdigest()
    stated = (vendor / "README.md").read_text(encoding="utf-8")
    assert digest in stated
    for name in re.findall(r"(?:LICENSE|NOTICE)-\w+", stated):
        assert (vendor / name).stat().st_size > 100


def test_a_page_has_the_notices_of_what_it_holds(make: Make) -> None:
    """A page is passed on by itself, and so is the library in it."""
    page = document(run_page([make()], "notices"))
    for words in ("Apache Software Foundation", "Mike Bostock", "Baidu Inc.", "Microsoft"):
        assert words in page


def test_the_data_comes_back_as_it_was(make: Make, hostile: str) -> None:
    """Whatever is in it, the block holds no tag, and decodes to the same."""
    report = run_page([make(name=hostile), make(name="<!--"), make(name="]]>&amp;")], hostile)
    (block,) = DATA.findall(document(report))
    assert not set("<>&") & set(block)
    assert block.isascii()
    assert json.loads(block) == report


def test_two_thousand_results_stay_below_two_megabytes(make: Make) -> None:
    """With fifty samples each, of which the digits differ."""
    seconds = [0.0312 * (1 + (n * 7919 % 100) / 1e4) for n in range(200)]
    samples = {"seconds": seconds, "iterations": 1, "first_call": 0.1, "null": 0.0}
    first = make(samples=samples, warnings=["imprecise", "outliers"])
    results = [
        changed(
            make(
                name=f"Operator{n // 8}", framework=("mxnet", "pytorch")[n % 2],
                direction=DIRECTIONS[n // 2 % 4], seconds=0.0312 + n * 1.2345e-6,
            ),
            samples=samples,
            summary=first.summary,
        )
        for n in range(2000)
    ]  # fmt: skip
    assert len(document(run_page(results, "many")).encode()) < 2e6


def test_the_page_is_in_the_wheel(tmp_path: Path) -> None:
    """What pip installs has every file of the page."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    files = [path for path in HERE.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert {path.relative_to(ROOT).as_posix() for path in files} <= names
