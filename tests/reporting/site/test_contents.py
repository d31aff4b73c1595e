"""What is on a site: a page for everything, every link resolved, the same bytes each time."""

from __future__ import annotations

import base64
import json
import re
import shutil
import zlib
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

from opperf.reporting.site.naming import PAGE, file_stem, page_of
from tests.readers.documents import AB, ARMS
from tests.reporting.site.conftest import NIGHTS, OPERATORS, contents, write_site

if TYPE_CHECKING:
    from pathlib import Path

    from tests.reporting.site.conftest import Folder

PACKED = re.compile(rb'<script id="report"[^>]*>([^<]*)</script>')


class Links(HTMLParser):
    """Collects where a page leads to, and what it loads."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Add what an element refers to."""
        named = dict(attrs)
        for name in ("href", "src"):
            if named.get(name):
                self.found.append(str(named[name]))
        self.found += (named.get("data-scripts") or "").split() if tag == "script" else []


def links_of(path: Path) -> list[str]:
    """Return all addresses on a page, those in its data included."""
    parser = Links()
    parser.feed(path.read_text(encoding="utf-8"))
    report = report_of(path)
    return [*parser.found, *report.get("pages", ())]


def report_of(path: Path) -> dict[str, Any]:
    """Return the data of a page, nothing where it has none."""
    packed = PACKED.search(path.read_bytes())
    found: dict[str, Any] = (
        json.loads(zlib.decompress(base64.b64decode(packed[1]))) if packed else {}
    )
    return found


def journals_of(nights: Path) -> list[str]:
    """Return the journals of the runs that are no comparisons."""
    found = sorted(nights.glob("*/results.jsonl"))
    return [str(path) for path in found if path.parent.name not in (AB, ARMS)]


def test_everything_has_a_page_and_every_link_leads_somewhere(nights: Path, tmp_path: Path) -> None:
    """Index, eight runs, three operators and two comparisons; nothing leads out of the folder."""
    site = tmp_path / "site"
    done = write_site(site, nights)
    assert done.returncode == 0, done.stderr
    assert f"{1 + NIGHTS + len(OPERATORS) + 2} pages" in done.stderr
    pages = [*site.rglob("*.html")]
    listed = {str((site / address).resolve()) for address in links_of(site / "index.html")}
    for name in (*OPERATORS,):
        assert str((site / page_of("operators", name)).resolve()) in listed
    for name in (AB, ARMS):
        assert str((site / page_of("comparisons", name)).resolve()) in listed
    assert len([*site.glob("runs/*.html")]) == NIGHTS
    for page in pages:
        for address in links_of(page):
            if not address.startswith("#"):
                found = (page.parent / address).resolve()
                assert found.is_file(), (page, address)
                assert found.is_relative_to(site.resolve())
    assert {str(page.resolve()) for page in pages} <= listed


def test_the_history_of_an_operator_is_that_of_changes(
    nights: Path, tmp_path: Path, call: Any
) -> None:
    """The change stands on its page as in a store, with what else changed; the index names it."""
    site = tmp_path / "site"
    write_site(site, nights)
    report = report_of(site / page_of("operators", "Add"))
    [history] = report["histories"]
    assert len(history["points"]) == NIGHTS
    [change] = history["changes"]
    assert change["cause"] == "kernel: 6.0 -> 6.1"
    store = ("--store", str(tmp_path / "results.db"))
    call("db", "init", *store)
    assert call("import", *journals_of(nights), *store).returncode == 0
    done = call("changes", "--since", "2026-01-01", "--format", "json", *store)
    [row] = [each for each in json.loads(done.stdout) if each["kind"] == "slower"]
    assert row["operator"] == "Add"
    assert change["ratio"] == float(f"{row['ratio']:.5g}")
    assert change["at"] == row["at"]
    assert f"x {row['ratio']:.3f} on {row['at'][:10]}" in (site / "index.html").read_text()


def test_the_same_input_gives_the_same_bytes(
    nights: Path, add_night: Folder, tmp_path: Path
) -> None:
    """At once, or run by run as they come."""
    whole, grown = tmp_path / "whole", tmp_path / "grown"
    last = add_night(NIGHTS)
    aside = tmp_path / last.name
    shutil.move(last, aside)
    write_site(grown, nights)
    shutil.move(aside, last)
    write_site(grown, nights)
    write_site(whole, nights)
    assert contents(whole) == contents(grown)


def test_a_store_has_the_same_histories(nights: Path, tmp_path: Path, call: Any) -> None:
    """With --store the runs are those of the store, and what was acknowledged is no news."""
    store = ("--store", str(tmp_path / "results.db"))
    call("db", "init", *store)
    assert call("import", *journals_of(nights), *store).returncode == 0
    site = tmp_path / "site"
    assert write_site(site, nights, *store).returncode == 0
    [history] = report_of(site / page_of("operators", "Add"))["histories"]
    assert (len(history["points"]), len(history["changes"])) == (NIGHTS, 1)
    assert not history["changes"][0]["acknowledged"]
    done = call("changes", "--since", "2026-01-01", "--format", "json", *store)
    [name] = [row["change"] for row in json.loads(done.stdout) if row["kind"] == "slower"]
    assert call("baseline", "ack", name, "--until", "2099-01-01", *store).returncode == 0
    assert write_site(site, nights, *store).returncode == 0
    [history] = report_of(site / page_of("operators", "Add"))["histories"]
    assert history["changes"][0]["acknowledged"]


def test_names_of_files_are_safe_and_differ() -> None:
    """Whatever the case, the length or the letters; a run's id stays as it is."""
    names = [
        "Dot", "dot", "DOT", "../../etc/passwd", "/etc/passwd", "a/b", "a\\b", "CON", "nul", "",
        ".", "..", "\0", "\ud800", "é", "<img>", "x" * 5000, "x" * 5001, "a b", "a_b", "a.b",
    ]  # fmt: skip
    stems = [file_stem(name) for name in names]
    assert len({stem.lower() for stem in stems}) == len(names)
    assert all(PAGE.fullmatch(f"{stem}.html") for stem in stems)
    assert file_stem("20261121T011502-7f3a9c") == "20261121T011502-7f3a9c"
