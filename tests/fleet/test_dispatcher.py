"""What is handed out next: enough for each host, and nothing is hidden by other hosts' jobs."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from sqlalchemy import update

from opperf.fleet.hosts.rows import AWAY, READY, list_states
from opperf.fleet.jobs.leases import GONE, take_lease
from opperf.fleet.jobs.requirement import HostRequirement
from opperf.fleet.scheduler import dispatcher
from opperf.fleet.scheduler.dispatcher import SURVEY_S, Dispatcher
from opperf.fleet.scheduler.placement import AHEAD, CHOICE, JobBatch, Load, Placement
from opperf.fleet.store import FLEET_VERSION, changing
from opperf.storing.database.fleet_tables import job
from tests.fleet.conftest import facts_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.storing.database.connection import Database
    from tests.fleet.conftest import Plan


def chosen(store: Database, one: Dispatcher) -> list[int]:
    """Return the rows that are handed out next."""
    with changing(store) as connection:
        return [number for batch in one.choose(connection) for number in batch.jobs]


def dispatcher_of(store: Database, **hosts: str) -> Dispatcher:
    """Return a dispatcher with hosts of these kinds, and nothing handed out."""
    scheduler: Any = SimpleNamespace(tasks={})
    found = Dispatcher(scheduler, cast("Any", None), store, print)
    found.placement.update({name: facts_of(name, kind=kind) for name, kind in hosts.items()})
    return found


def want(store: Database, number: int, kind: str) -> None:
    """Have a job ask for a kind of host."""
    requirement = HostRequirement(kind=kind).to_mapping()
    with changing(store) as connection:
        connection.execute(update(job).where(job.c.id == number).values(requirement=requirement))


def test_each_host_gets_one_job_and_the_next(store: Database, plan: Plan) -> None:
    """The oldest first; what is handed out already counts."""
    numbers = [plan() for _ in range(3 * AHEAD)]
    one = dispatcher_of(store, h1="k1", h2="k1")
    assert chosen(store, one) == numbers[: 2 * AHEAD]
    future: Any = SimpleNamespace(key="waits")
    one.handed[numbers[0]], one.targets[numbers[0]] = future, frozenset({"h1", "h2"})
    assert chosen(store, one) == numbers[1 : 2 * AHEAD]


def test_jobs_of_busy_hosts_hide_none_of_idle_ones(
    store: Database, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there are: some are read in each look, from where the last one ended."""
    monkeypatch.setattr(dispatcher, "PAGE", 2)
    monkeypatch.setattr(dispatcher, "MOST_DUE", 4)
    busy, idle = [plan() for _ in range(15)], plan()
    for number in busy:
        want(store, number, "k1")
    want(store, idle, "k2")
    one = dispatcher_of(store, h2="k2")
    looks = [chosen(store, one) for _ in range(8)]
    assert [idle] in looks
    assert all(found in ([], [idle]) for found in looks)


def test_dask_chooses_among_the_emptiest() -> None:
    """Among all of them where there are as many jobs."""
    names = [f"h{number}" for number in range(3 * CHOICE)]
    load = Load(names)
    for name in names[CHOICE:]:
        load.add((name,))
    few, many = JobBatch(load.room(names), [1]), JobBatch(load.room(names), [*range(3 * CHOICE)])
    assert set(few.emptiest()) == set(names[:CHOICE])
    assert set(many.emptiest()) == set(names)


def test_hosts_have_enough_in_parts_of_jobs() -> None:
    """A job that three hosts may do counts as a third for each; sums of these are not exact."""
    load = Load(["h1", "h2", "h3"])
    for _ in range(3 * AHEAD):
        assert not load.is_enough()
        load.add(("h1", "h2", "h3"))
    assert load.is_enough()
    assert not load.room(["h1", "h2", "h3"])


def test_requirements_are_matched_again_when_hosts_change() -> None:
    """A host that comes back may have other tags."""
    placement = Placement()
    text = '{"on": [["tag", "lab"]], "frameworks": [], "kind": null, "hosts": []}'
    placement.update({"h1": facts_of("h1", tag=[])})
    assert placement.targets(text) == frozenset()
    placement.update({"h1": facts_of("h1", tag=["lab"])})
    assert placement.targets(text) == {"h1"}


def present(one: Dispatcher, *names: str) -> None:
    """Have these hosts be connected."""
    workers = {name: SimpleNamespace(name=name, address=f"tcp://{name}:1") for name in names}
    one.scheduler = cast("Any", SimpleNamespace(tasks={}, workers=workers))


def states(store: Database) -> dict[str, str]:
    """Return how the hosts are."""
    with changing(store) as connection:
        return {name: row.state for name, row in list_states(connection).items()}


def test_hosts_rows_are_read_when_others_are_connected_and_now_and_then(
    store: Database, add_host: Callable[..., None]
) -> None:
    """Not in each look: there are several in a second."""
    one = dispatcher_of(store)
    for name in ("h1", "h2"):
        add_host(name)
    present(one, "h1", "h2")
    one.look()
    present(one, "h1")
    one.look()
    assert states(store) == {"h1": READY, "h2": AWAY}
    add_host("h2")
    one.look()
    assert states(store) == {"h1": READY, "h2": READY}
    one.surveyed -= SURVEY_S
    one.look()
    assert states(store) == {"h1": READY, "h2": AWAY}


def test_a_lost_host_is_noticed_again_where_the_store_was_away(
    store: Database,
    plan: Plan,
    add_host: Callable[..., None],
    row_of: Callable[[int], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was taken back in a transaction that came to nothing is taken back by the next look."""
    number = plan()
    for name in ("h1", "h2"):
        add_host(name)
    with changing(store) as connection:
        take_lease(connection, number, "h1", FLEET_VERSION)
    one = dispatcher_of(store)
    present(one, "h1", "h2")
    one.look()
    present(one)
    with monkeypatch.context() as patching:
        patching.setattr(one, "choose", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            one.look()
    assert row_of(number).state == "leased"
    one.look()
    assert row_of(number).state == "planned"
    assert GONE in row_of(number).reason


@pytest.mark.parametrize(
    ("hosts", "ended", "error", "woken"),
    [(3, 1, None, True), (30, 2, None, False), (30, 3, None, True), (30, 1, OSError(), True)],
)
def test_looks_wait_for_a_tenth_of_the_hosts(
    store: Database, hosts: int, ended: int, error: Exception | None, woken: bool
) -> None:
    """Each has another job waiting; what went wrong is looked at at once."""

    async def exception() -> Exception | None:
        return error

    one = dispatcher_of(store)
    one.connected = {f"h{number}": "" for number in range(hosts)}
    future: Any = SimpleNamespace(exception=exception)
    for number in range(ended):
        asyncio.run(one.follow(number, future))
    assert one.woken.is_set() == woken
