"""Where a job may be measured, and what is said where it may be nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from opperf.core.errors import UsageError
from opperf.fleet.client.progress import find_submission, read_progress
from opperf.fleet.client.submission import JobRequest, submit
from opperf.fleet.hosts.facts import dask_resources
from opperf.fleet.hosts.rows import QUARANTINED, set_state
from opperf.fleet.jobs.leases import release_host, take_lease
from opperf.fleet.jobs.requirement import HostRequirement, parse_on
from opperf.fleet.store import FLEET_VERSION, changing
from opperf.storing.database.fleet_tables import job
from tests.fleet.conftest import facts_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from opperf.storing.database.connection import Database

WORDS = ("run", "-k", "name=Exp")


def works(number: int = 1, **wanted: Any) -> list[JobRequest]:
    """Return so much to be measured."""
    return [JobRequest(f"Op{one}", WORDS, HostRequirement(**wanted)) for one in range(number)]


@pytest.mark.parametrize(
    ("on", "fits"),
    [
        ("cpu=*EPYC*", True),
        ("cpu=*epyc 9654", True),
        ("cpu=EPYC*", False),
        ("isa=avx2", True),
        ("isa=amx*", False),
        ("framework=numpy=1.26.*", True),
        ("framework=torch", False),
        ("tag=lab", True),
        ("host=h[12]", True),
        ("gpu=*", False),
    ],
)
def test_patterns_of_facts(on: str, *, fits: bool) -> None:
    """A fact with several values fits by any of them, in whichever case."""
    assert (not HostRequirement(on=parse_on([on])).lacks(facts_of("h1"))) == fits


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("cpu", "must be FACT=PATTERN, as cpu="),
        ("cpu=", "must be FACT=PATTERN"),
        ("cpus=EPYC", "unknown fact 'cpus'; did you mean 'cpu'? allowed: cpu, framework, gpu, "),
    ],
)
def test_a_pattern_that_is_none_is_refused(word: str, said: str) -> None:
    """With what there is."""
    with pytest.raises(UsageError, match=r"^--on ") as refused:
        parse_on([word])
    assert said in str(refused.value)


def test_a_requirement_is_read_as_it_was_written() -> None:
    """A row has it as JSON."""
    whole = HostRequirement(parse_on(["tag=lab"]), ("numpy",), "k1", ("h1",))
    assert HostRequirement.from_mapping(whole.to_mapping()) == whole


def test_each_kind_measures_each_operator_once(
    store: Database, add_host: Callable[..., None], rows: Connection
) -> None:
    """Hosts of a kind share the work, kinds do not."""
    for name, kind in (("h1", "k1"), ("h2", "k1"), ("h3", "k2")):
        add_host(name, kind=kind)
    submit(store, "opperf run", works(5), hosts_per_kind=1)
    found = [(row.title, row.requirement["kind"]) for row in rows.execute(select(job))]
    assert sorted(found) == [(f"Op{one}", kind) for one in range(5) for kind in ("k1", "k2")]


def test_repetitions_are_on_different_hosts_in_equal_shares(
    store: Database, add_host: Callable[..., None], rows: Connection
) -> None:
    """The variance between hosts is what they are for."""
    for name in ("h1", "h2", "h3"):
        add_host(name)
    submit(store, "opperf run", works(6), hosts_per_kind=2)
    by_work: dict[str, list[str]] = {}
    for row in rows.execute(select(job)):
        by_work.setdefault(row.title, []).extend(row.requirement["hosts"])
    assert all(len(set(hosts)) == len(hosts) == 2 for hosts in by_work.values())
    every = [name for hosts in by_work.values() for name in hosts]
    assert {every.count(name) for name in ("h1", "h2", "h3")} == {4}


@pytest.mark.parametrize(
    ("wanted", "per_kind", "said"),
    [
        ({"frameworks": ("torch",)}, 1, "no host fits: h1 lacks framework torch (not installed)"),
        ({"on": (("cpu", "Xeon*"),)}, 1, "h1 lacks cpu=Xeon* (it has AMD EPYC 9654)"),
        ({"on": (("gpu", "*H100*"),)}, 1, "h1 lacks gpu=*H100* (it has none)"),
        ({}, 2, "--hosts-per-kind 2: of kind k1 there are 1 that fit: h1"),
    ],
)
def test_what_no_host_has_is_said_before_anything_is_planned(
    store: Database,
    add_host: Callable[..., None],
    rows: Connection,
    wanted: dict[str, Any],
    per_kind: int,
    said: str,
) -> None:
    """Which requirement fails, on which host."""
    add_host("h1")
    with pytest.raises(UsageError) as refused:
        submit(store, "opperf run", works(**wanted), per_kind)
    assert said in str(refused.value)
    assert rows.execute(select(job)).all() == []


def test_hosts_in_quarantine_get_nothing(store: Database, add_host: Callable[..., None]) -> None:
    """As if there were none."""
    add_host("h1")
    with changing(store) as connection:
        set_state(connection, "h1", QUARANTINED, "noise floor: 12 %")
    with pytest.raises(UsageError, match="no host that is ready"):
        submit(store, "opperf run", works(), 1)


def test_how_far_a_submission_is(
    store: Database, add_host: Callable[..., None], rows: Connection
) -> None:
    """Retried jobs are counted apart, and a name is found by its beginning."""
    add_host("h1")
    name = submit(store, "opperf run", works(3), 1)
    numbers = [row.id for row in rows.execute(select(job).order_by(job.c.id))]
    for _ in range(2):
        with changing(store) as connection:
            take_lease(connection, numbers[0], "h1", FLEET_VERSION)
        with changing(store) as connection:
            release_host(connection, "h1", "lost")
    found = read_progress(rows, name)
    assert (found.jobs, found.ended, found.retried) == (3, 0, 1)
    assert {find_submission(rows, text) for text in (name, name[:10], "last")} == {name}
    with pytest.raises(UsageError, match=f"unknown submission 'x'; the newest are {name}"):
        find_submission(rows, "x")


def test_a_host_has_one_slot() -> None:
    """And a unit of each fact, by which Dask's own tools show it."""
    found = dask_resources(facts_of("h1"))
    assert found["slot"] == 1
    assert {"host:h1", "kind:k1", "framework:numpy", "tag:lab", "isa:avx2"} <= set(found)
