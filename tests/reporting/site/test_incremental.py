"""A second call writes what changed and nothing else, whatever happened to the first one."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from opperf.reporting.site.naming import page_of
from tests.readers.documents import AB
from tests.reporting.site.conftest import (
    NIGHTS,
    command_of,
    contents,
    states,
    write_site,
)
from tests.reporting.site.test_contents import links_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.reporting.site.conftest import Folder

ALWAYS = {"index.html", "site.json"}


def test_nothing_new_touches_nothing(nights: Path, tmp_path: Path) -> None:
    """Each file stays the very one that it was."""
    site = tmp_path / "site"
    write_site(site, nights)
    before = states(site)
    done = write_site(site, nights)
    assert "0 files written, 0 removed" in done.stderr
    assert states(site) == before


def test_a_new_run_touches_its_page_and_its_operators(
    nights: Path, add_night: Folder, tmp_path: Path
) -> None:
    """Of the other operators, runs and comparisons no file is written."""
    site = tmp_path / "site"
    write_site(site, nights)
    before = states(site)
    run = add_night(NIGHTS, operators=("Add",))
    write_site(site, nights)
    after = states(site)
    touched = {name for name in after if after[name] != before.get(name)}
    own = {page_of("runs", run.name), f"points/{run.name}.z", page_of("operators", "Add")}
    assert touched == own | ALWAYS
    assert before.keys() <= after.keys()


def test_a_run_that_is_gone_is_gone_from_the_site(nights: Path, tmp_path: Path) -> None:
    """Its page, its points, and its part of each history."""
    site, fresh = tmp_path / "site", tmp_path / "fresh"
    write_site(site, nights)
    [first, *_] = sorted(path for path in nights.iterdir() if path.name != AB)
    shutil.rmtree(first)
    assert "2 removed" in write_site(site, nights).stderr
    write_site(fresh, nights)
    assert contents(site) == contents(fresh)


def test_a_page_that_was_lost_comes_back(nights: Path, tmp_path: Path) -> None:
    """Removed, or cut short by a disk that failed."""
    site = tmp_path / "site"
    write_site(site, nights)
    whole = contents(site)
    (site / page_of("operators", "Add")).unlink()
    run = next(site.glob("runs/*.html"))
    run.write_bytes(run.read_bytes()[:1000])
    next(site.glob("points/*.z")).write_bytes(b"")
    asset = next(site.glob("assets/style*"))
    asset.write_bytes(b"")
    (site / ".index.html.4711.part").write_bytes(b"")  # killed while it was begun
    done = write_site(site, nights)
    assert done.returncode == 0, done.stderr
    assert contents(site) == whole


@pytest.mark.parametrize("moment", range(4))
def test_killed_at_any_moment(nights: Path, tmp_path: Path, moment: int) -> None:
    """What an index links to is there, and the next call completes the site."""
    site, fresh = tmp_path / "site", tmp_path / "fresh"
    write_site(fresh, nights)
    chance = random.Random(moment)  # noqa: S311 - no secret
    wanted = chance.randrange(1, len(contents(fresh)))
    process = subprocess.Popen(command_of(site, nights), stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while process.poll() is None and count(site) < wanted and time.monotonic() < deadline:
        pass
    process.send_signal(signal.SIGKILL)
    process.wait()
    if (site / "index.html").exists():
        for address in links_of(site / "index.html"):
            assert address.startswith("#") or (site / address).is_file()
    deadline = time.monotonic() + 120
    done = write_site(site, nights)
    while "another process" in done.stderr and time.monotonic() < deadline:  # a dying child's
        done = write_site(site, nights)
    assert done.returncode == 0, done.stderr
    assert contents(site) == contents(fresh)


def count(site: Path) -> int:
    """Return how many files there are by now."""
    return sum(len(files) for _, _, files in os.walk(site))
