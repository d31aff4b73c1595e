"""The page of a fleet: hosts, kinds, what runs, throughput, lost and retried jobs, what is left."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import text

from opperf.cli import main
from opperf.fleet.hosts.rows import QUARANTINED, set_state
from opperf.fleet.jobs.leases import (
    GONE,
    end_lease,
    fail_lease,
    release_host,
    release_lease,
    take_lease,
)
from opperf.fleet.store import FLEET_VERSION, changing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from opperf.storing.database.connection import Database
    from tests.fleet.conftest import Plan

HOSTILE = "noise </script><script>alert(1)</script>"


class Tables(HTMLParser):
    """The tables of a page by their sections, each a list of rows of texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, list[list[str]]] = {}
        self.section, self.is_open = "", False
        self.tags: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a section, a row or a cell."""
        self.tags.add(tag)
        if tag == "section":
            self.section = dict(attrs)["id"] or ""
            self.found[self.section] = []
        elif tag == "tr":
            self.found[self.section].append([])
        elif tag in {"td", "th"}:
            self.found[self.section][-1].append("")
            self.is_open = True

    def handle_endtag(self, tag: str) -> None:
        """End a cell."""
        self.is_open = self.is_open and tag not in {"td", "th"}

    def handle_data(self, data: str) -> None:
        """Add to the cell that is open."""
        if self.is_open:
            self.found[self.section][-1][-1] += data.strip()

    def rows(self, section: str) -> list[dict[str, str]]:
        """Return the rows of a section's table by their headings."""
        head, *rows = (row for row in self.found[section] if row)
        return [dict(zip(head, row, strict=True)) for row in rows]


@pytest.fixture
def busy(store: Database, plan: Plan, add_host: Callable[..., None]) -> str:
    """Return the address of a fleet in which something of every kind has happened."""
    for name, kind in (("h1", "k1"), ("h2", "k1"), ("h3", "k2")):
        add_host(name, kind=kind)
    done, lost, failed, refused, running, _ = [plan() for _ in range(6)]
    with changing(store) as connection:
        set_state(connection, "h3", QUARANTINED, HOSTILE)
        for number in (done, lost, failed, refused):
            lease = take_lease(connection, number, "h1", FLEET_VERSION)
            assert lease is not None
            if number == done:
                end_lease(connection, number, 1, 0, None)
            elif number == lost:
                release_host(connection, "h1", GONE)
            elif number == failed:
                fail_lease(connection, number, 1, 2, HOSTILE)
            else:
                release_lease(connection, number, 1, "exit code 1: no memory")
        take_lease(connection, refused, "h2", FLEET_VERSION)
        end_lease(connection, refused, 2, 0, None)
        take_lease(connection, running, "h1", FLEET_VERSION)
    with changing(store) as connection:  # so that there is a pace
        connection.execute(
            text("UPDATE opperf_fleet_job SET began_at = began_at - '60 s'::interval")
        )
    return store.url.render_as_string(hide_password=False)


def test_the_page_shows_all_that_a_fleet_does(
    busy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In tables, whatever others have chosen as texts."""
    path = tmp_path / "fleet.html"
    assert main(["fleet", "status", "--store", busy, "--html", str(path)]) == 0
    assert capsys.readouterr() == ("", f"opperf: wrote {path}\n")
    tables = Tables(path.read_text())
    hosts = {row["Host"]: row for row in tables.rows("hosts")}
    assert (hosts["h1"]["Measures"], hosts["h1"]["Done, last hour"]) == ("Exp", "1")
    assert (hosts["h3"]["State"], hosts["h3"]["Why"]) == ("quarantined", HOSTILE)
    kinds = {row["Kind"]: row for row in tables.rows("kinds")}
    assert [kinds["k1"][one] for one in ("Hosts", "Ready", "Measuring")] == ["2", "2", "1"]
    assert [kinds["k2"][one] for one in ("Hosts", "Ready", "Measuring")] == ["1", "0", "0"]
    (row,) = tables.rows("submissions")
    assert row["Submission"] == "s1"
    assert [row[one] for one in ("Done", "Failed", "Leased", "Planned")] == ["2", "1", "1", "2"]
    assert (row["Ended"], row["Lost"], row["Retried"]) == ("50% of 6", "1", "1")
    assert 100 <= int(row["Jobs an hour"]) <= 120
    assert re.fullmatch(r"[12]:\d\d", row["Left"])
    trouble = [(one["State"], one["Why"]) for one in tables.rows("trouble")]
    assert trouble == [
        ("done", "attempt 1 on h1: exit code 1: no memory"),
        ("failed", f"attempt 1 on h1: {HOSTILE}"),
        ("planned", f"attempt 1 on h1: {GONE}"),
    ]


def test_the_page_needs_no_other_file_and_runs_nothing_else(busy: str, tmp_path: Path) -> None:
    """Its policy names its one script and its one style sheet by their digests."""
    path = tmp_path / "fleet.html"
    main(["fleet", "status", "--store", busy, "--html", str(path)])
    page = path.read_text()
    for tag in ("script", "style"):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in page
    assert "link" not in Tables(page).tags
    assert not re.search(r'(?:src|href)="(?!#)', page)


def test_the_page_of_a_fleet_without_hosts(store: Database, tmp_path: Path) -> None:
    """Its tables are empty."""
    path = tmp_path / "fleet.html"
    url = store.url.render_as_string(hide_password=False)
    assert main(["fleet", "status", "--store", url, "--html", str(path)]) == 0
    assert "0 of 0 hosts are ready; no jobs yet" in path.read_text()
    assert Tables(path.read_text()).rows("hosts") == []


def test_a_page_that_is_there_is_replaced_when_asked(
    store: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not otherwise."""
    path = tmp_path / "fleet.html"
    path.write_text("mine")
    words = ["fleet", "status", "--html", str(path)]
    words += ["--store", store.url.render_as_string(hide_password=False)]
    assert main(words) == 2
    assert "exists; give --force to replace it" in capsys.readouterr().err
    assert path.read_text() == "mine"
    assert main([*words, "--force"]) == 0
    assert path.read_text().startswith("<!DOCTYPE html>")


def test_programs_read_the_same(busy: str, capsys: pytest.CaptureFixture[str]) -> None:
    """And so do people, on a terminal."""
    assert main(["fleet", "status", "--store", busy, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(one["kind"], one["hosts"], one["measuring"]) for one in found["kinds"]] == [
        ("k1", 2, 1),
        ("k2", 1, 0),
    ]
    assert (found["submissions"]["s1"]["lost"], found["submissions"]["s1"]["retried"]) == (1, 1)
    assert len(found["troubles"]) == 3
    assert main(["fleet", "status", "--store", busy]) == 0
    out = capsys.readouterr().out
    assert "kind k1: AMD EPYC 9654, 2 hosts, 2 ready, 1 measuring, 2 jobs done" in out


def test_a_browser_filters_and_sorts_the_page(busy: str, tmp_path: Path, chromium: Any) -> None:
    """Under its own policy, without a complaint, and nothing of a text is carried out."""
    path = tmp_path / "fleet.html"
    main(["fleet", "status", "--store", busy, "--html", str(path)])
    chromium.resize(1400)
    chromium.logs("browser")
    chromium.open(path)
    names = (
        "return [...document.querySelectorAll('#hosts tbody tr')]"
        ".filter((row) => !row.hidden).map((row) => row.cells[0].innerText)"
    )
    assert chromium.ask(names) == ["h1", "h2", "h3"]
    sort = "document.querySelector('#hosts thead button').click()"
    chromium.ask(sort)
    chromium.ask(sort)
    assert chromium.ask(names) == ["h3", "h2", "h1"]
    chromium.ask("document.getElementById('filter').focus()")
    chromium.type("quarantined")
    assert chromium.ask(names) == ["h3"]
    chromium.ask("document.getElementById('theme').click()")
    assert chromium.ask("return document.documentElement.dataset.theme") == "dark"
    assert chromium.logs("browser") == []
