"""What a site does not do: touch other people's files, leave its folder, or end in a traceback."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from opperf.reporting.site.folder import writing
from tests.conftest import told
from tests.reporting.conftest import HOSTILE
from tests.reporting.site.conftest import (
    NIGHTS,
    command_of,
    contents,
    write_site,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.reporting.site.conftest import Folder

NAMES = ("../../outside", "/etc/passwd", "dot", "Dot", "", "\u202eevil", "__proto__", "N" * 3000)


def refused(done: subprocess.CompletedProcess[str], words: str, code: int = 2) -> bool:
    """Return whether a command ended with one line that has these words."""
    lines = told(done.stderr)
    assert (done.returncode, len(lines)) == (code, 1), done.stderr
    return words in lines[0]


def test_a_folder_of_somebody_else_is_left_alone(nights: Path, tmp_path: Path) -> None:
    """Without --force it is refused; with it their files stay, and theirs alone."""
    site = tmp_path / "site"
    (site / "operators").mkdir(parents=True)
    (site / "operators" / "mine.html").write_text("mine")
    (site / "notes.txt").write_text("mine")
    before = contents(site)
    assert refused(write_site(site, nights), "no site of opperf")
    assert contents(site) == before
    assert write_site(site, nights, "--force").returncode == 0
    assert write_site(site, nights).returncode == 0
    assert contents(site).items() >= before.items()
    shutil.rmtree(nights)
    nights.mkdir()
    assert contents(site).items() >= before.items()


def test_a_file_by_the_name_of_a_page_is_not_replaced(nights: Path, tmp_path: Path) -> None:
    """Nor is what a link by that name leads to."""
    site, victim = tmp_path / "site", tmp_path / "victim"
    write_site(site, nights)
    victim.write_text("mine")
    page = next(site.glob("operators/*.html"))
    page.unlink()
    page.symlink_to(victim)
    assert refused(write_site(site, nights), "opperf did not write it")
    assert write_site(site, nights, "--force").returncode == 0
    assert victim.read_text() == "mine"
    assert not page.is_symlink()


def test_a_folder_that_is_a_link_is_refused(nights: Path, tmp_path: Path) -> None:
    """Pages are written within the site only."""
    site, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    write_site(site, nights)
    shutil.move(site / "runs", elsewhere)
    (site / "runs").symlink_to(elsewhere)
    assert refused(write_site(site, nights), "is a link")


def test_two_writers_at_once(nights: Path, tmp_path: Path) -> None:
    """The second one ends in a line, and nothing of the site changes."""
    site = tmp_path / "site"
    site.mkdir()
    with writing(site):
        before = contents(site)
        assert refused(write_site(site, nights), "another process is writing it")
        assert contents(site) == before
    assert write_site(site, nights).returncode == 0


def limit_files() -> None:
    """Let no file grow beyond what the charting library takes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**19, 2**19))


def test_a_full_disk_is_one_line(nights: Path, tmp_path: Path) -> None:
    """A limit on the size of files is met in the same way; the next call goes on."""
    site = tmp_path / "site"
    done = subprocess.run(
        command_of(site, nights), check=False, capture_output=True, text=True, timeout=300,
        preexec_fn=limit_files,
    )  # fmt: skip
    assert refused(done, "cannot write", code=1)
    assert not [*site.rglob("*.part")]
    assert write_site(site, nights).returncode == 0


def test_damaged_runs_are_named_and_left_out(nights: Path, tmp_path: Path) -> None:
    """Each time, and on the index; a line that is damaged is left out by itself."""
    site = tmp_path / "site"
    runs = sorted(path for path in nights.iterdir())
    (runs[0] / "results.jsonl").write_text('{"schema": 1}\n{"schema": 2}\n')
    journal = runs[1] / "results.jsonl"
    journal.write_text("{}\n" + journal.read_text())
    for _ in range(2):
        done = write_site(site, nights)
        assert done.returncode == 0
        lines = told(done.stderr)
        assert len(lines) == 3, done.stderr
        assert runs[0].name in lines[0]
        assert runs[1].name in lines[1]
    assert not (site / "runs" / f"{runs[0].name}.html").exists()
    assert (site / "runs" / f"{runs[1].name}.html").exists()
    index = (site / "index.html").read_text()
    assert f'<td class="word">{runs[0].name}</td>' in index
    assert len([*site.glob("runs/*.html")]) == NIGHTS - 1


@pytest.mark.parametrize(
    "other", [("--ab", "x.json"), ("--since", "90d"), ("last",), ("--github",)]
)
def test_it_stands_alone(nights: Path, tmp_path: Path, other: tuple[str, ...]) -> None:
    """A site is of all runs."""
    assert refused(write_site(tmp_path / "site", nights, *other), "stands alone")


def test_places_that_are_none(nights: Path, tmp_path: Path) -> None:
    """A file, a folder whose parent is missing, and one without any runs."""
    file = tmp_path / "file"
    file.write_text("mine")
    assert refused(write_site(file, nights), "is a file")
    assert refused(write_site(tmp_path / "a" / "b", nights), "there is no directory")
    empty = tmp_path / "none"
    empty.mkdir()
    assert refused(write_site(tmp_path / "site", empty), "no runs", code=12)
    assert not (tmp_path / "site").exists()


def test_hostile_names_stay_texts_within_the_folder(
    add_night: Folder, runs_dir: Path, tmp_path: Path
) -> None:
    """Operators of a foreign record: each has a page of its own, and no markup comes of it."""
    names = (*NAMES, HOSTILE)
    add_night(0, operators=names)
    site = tmp_path / "site"
    outside = {path for path in tmp_path.rglob("*") if not path.is_relative_to(site)}
    done = write_site(site, runs_dir)
    assert done.returncode == 0, done.stderr
    assert {path for path in tmp_path.rglob("*") if not path.is_relative_to(site)} == outside
    pages = [path.name.lower() for path in site.glob("operators/*")]
    assert len({*pages}) == len(names)
    index = (site / "index.html").read_text()
    assert "<img" not in index
    assert "&lt;img" in index
    assert "\u202e" not in index


def test_a_hostile_run_in_a_store(
    tmp_path: Path, runs_dir: Path, call: Any, add_night: Folder
) -> None:
    """Its name comes from a record, and is no path."""
    path = add_night(0)
    journal = path / "results.jsonl"
    journal.write_text(journal.read_text().replace(path.name, "../../../outside"))
    store = ("--store", str(tmp_path / "results.db"))
    call("db", "init", *store)
    assert call("import", str(journal), *store).returncode == 0
    site = tmp_path / "deep" / "site"
    site.parent.mkdir()
    assert write_site(site, runs_dir, *store).returncode == 0
    [page] = site.glob("runs/*.html")
    assert page.name.startswith("outside-")
    assert [one.name for one in os.scandir(site.parent)] == ["site"]
