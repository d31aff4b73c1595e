"""Arms of a fleet: resolved once by the client, made of the same bytes on each host or refused."""

from __future__ import annotations

import json
import shutil
import sysconfig
from contextlib import ExitStack
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from opperf.cli import main
from opperf.cli.common.exit_codes import FAILED
from opperf.comparing.arms.lock import locked_versions, python_tag
from opperf.fleet.client.submission import JobRequest, submit
from opperf.fleet.jobs.leases import take_lease
from opperf.fleet.jobs.requirement import HostRequirement, parse_on
from opperf.fleet.store import FLEET_VERSION, changing
from opperf.fleet.worker.spool import HostSpool
from opperf.storing.database.connection import create_store
from opperf.storing.database.fleet_tables import job
from tests.comparing.arms.index import running_index
from tests.comparing.arms.wheels import wheel
from tests.fleet.conftest import facts_of
from tests.fleet.test_fleet import SMALL, Fleet, database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy import Connection

    from opperf.storing.database.connection import Database
    from tests.storing.database.conftest import Server

__all__ = ["database"]
NUMPY = f"numpy=={np.__version__}"


def test_a_host_has_the_files_that_its_words_name(
    store: Database, add_host: Callable[..., None], rows: Connection, tmp_path: Path
) -> None:
    """In the folder that the words are carried out in, before they are; also after a restart."""
    add_host("h1")
    files = {"b.lock": "tiny==1.0 --hash=sha256:00 # é\n"}
    works = [JobRequest("x", ("ab", "--lock=b=b.lock"), HostRequirement(), files=files)]
    submit(store, "opperf ab", works, 1)
    number = rows.execute(job.select()).one().id
    with changing(store) as connection:
        lease = take_lease(connection, number, "h1", FLEET_VERSION)
    assert lease is not None
    spool = HostSpool(tmp_path / "h1")
    entry = spool.begin(lease)
    assert (entry.path / "b.lock").read_text(encoding="utf-8") == files["b.lock"]
    assert [one.lease for one in spool.entries()] == [lease]


def test_a_host_of_another_python_lacks_it() -> None:
    """And it is a fact that --on may ask for."""
    requirement = HostRequirement(on=(("python", python_tag()),))
    assert not requirement.lacks(facts_of("h1", python=python_tag()))
    other = "cpython-3.9-darwin-arm64"
    said = requirement.lacks(facts_of("h1", python=other))
    assert said == [f"python={python_tag()} (it has {other})"]
    assert not HostRequirement(parse_on(["python=*3.9*"])).lacks(facts_of("h1", python=other))


@pytest.fixture
def hosts(
    database: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Fleet, str]]:
    """Return a fleet of two hosts, and the index that the first reaches; the second's is another.

    The NumPy of both is a wheel that leads to this Python's.
    """
    path = {"here.pth": f"{sysconfig.get_path('platlib')}\n"}
    wheels, others = tmp_path / "wheels", tmp_path / "others"
    wheel(wheels, np.__version__, name="numpy", files=path)
    wheel(wheels)
    shutil.copytree(wheels, others)
    wheel(others, needs="Summary: other bytes\n")
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"):
        monkeypatch.delenv(name, raising=False)
    with ExitStack() as stack:
        good = stack.enter_context(running_index(wheels))
        bad = stack.enter_context(running_index(others))
        url = database.make_database()
        assert main(["fleet", "certs", str(tmp_path / "certs"), "--host", "127.0.0.1"]) == 0
        certificates = tmp_path / "certs" / "hosts" / "127.0.0.1"
        fleet = Fleet(tmp_path, create_store(url), url, certificates, stack)
        fleet.start_scheduler()
        for name, index in (("h1", good), ("h2", bad)):
            monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / f"cache-{name}"))
            monkeypatch.setenv("PIP_INDEX_URL", index)
            fleet.start_worker(name)
        monkeypatch.setenv("PIP_INDEX_URL", good)
        fleet.poll(lambda: all(f"as {name}" in fleet.logs() for name in ("h1", "h2")))
        yield fleet, good


@pytest.mark.timeout(900)
def test_hosts_measure_the_same_bytes_or_say_why_not(hosts: tuple[Fleet, str]) -> None:
    """The host whose index has other bytes fails with the reason, the other one goes on."""
    fleet, index = hosts
    words = ("ab", "--a", ".", "--b", f"tiny==1.0 {NUMPY}", "-k", "name=Exp and direction=forward")
    name = fleet.submit(*words, *SMALL, "--most-sessions", "6", "--hosts-per-kind", "2")
    said = fleet.ask("fleet", "wait", name, "--quiet", code=FAILED)
    assert "Exp" in said
    found: dict[str, Any] = {row.host: row for row in fleet.jobs()}
    assert {host: row.state for host, row in found.items()} == {"h1": "done", "h2": "failed"}
    assert "tiny==1.0 of http://" in found["h2"].reason
    assert " and its lock says " in found["h2"].reason
    (text,) = {row.files["b.lock"] for row in found.values()}
    assert locked_versions(text, "lock") == {"tiny": "1.0", "numpy": np.__version__}
    assert f"# {index.removesuffix('/simple')}/tiny-1.0-py3-none-any.whl" in text
    assert "--index-url" not in text
    (run,) = (fleet.folder / "runs").iterdir()
    arms = json.loads((run / "run.json").read_text())["arms"]
    assert arms["b"]["lock_sha256"] == sha256(text.encode()).hexdigest()
    assert (arms["b"]["text"], arms["b"]["lock"]) == (f"tiny==1.0 {NUMPY}", text)
    assert arms["a"]["lock"] is None
    assert arms["b"]["python"].startswith(str(fleet.folder / "cache-h1"))
