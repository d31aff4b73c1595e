"""Reports to a server that fails in every way: nothing is lost, nothing is kept twice."""

from __future__ import annotations

import socket
import time
from email.utils import formatdate
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.errors import UsageError
from opperf.specs.reporters import connection, remote, retries, spool
from opperf.specs.reporters.endpoint import origin_of
from opperf.specs.reporters.remote import RemoteReporter, UndeliveredError
from tests.specs.reporters.conftest import TOKEN, Results, serve

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from opperf.specs.reporters.meta import Meta

    MakeMeta = Callable[..., Meta]

NAMES = ["a", "b", "c"]


def records(*names: str) -> list[dict[str, Any]]:
    """Return a record of each name."""
    return [{"name": name, "value": 1.5} for name in names]


def files(folder: Path) -> list[str]:
    """Return what waits in the spools below a folder, and what was refused."""
    return sorted(path.parent.name for path in folder.rglob("*.batch"))


def test_a_server_gets_each_record(server: Results, make_meta: MakeMeta, tmp_path: Path) -> None:
    """Row 44: POST of JSON to <domain>/<endpoint>|<category>; N records arrive."""
    line = RemoteReporter(server.target).report(records(*NAMES), make_meta(info={"n": [1]}))
    assert line == f"sent 3 of 3 records to {server.target}"
    assert server.names() == NAMES
    assert {(each["by"], each["path"]) for each in server.requests} == {("POST", "/log")}
    assert {each["Authorization"] for each in server.requests} == {f"Bearer {TOKEN}"}
    assert {each["Content-Type"] for each in server.requests} == {"application/json"}
    assert [each["Idempotency-Key"] for each in server.requests] == [*server.kept]
    body = server.bodies[0]
    assert sorted(body) == ["category", "key", "meta", "record"]
    assert body["category"] == "operators"
    assert body["meta"]["net_name"] == "alexnet"
    assert body["meta"]["info"] == {"n": [1]}
    assert body["record"] == {"name": "a", "value": 1.5}
    assert files(tmp_path) == []


@pytest.mark.parametrize(
    "fault",
    [
        "status 500", "status 503", "status 429 0", "status 409", "status 408", "close", "lost",
        "cut", "headers", 'say {"count": 0}', "say <html>log in</html>", "say [1]",
        f"status 429 {formatdate(0, usegmt=True)}", "status 503 soon", "redirect 307 /other",
        "redirect 308 log",
    ],
)  # fmt: skip
def test_a_fault_that_passes_costs_nothing(
    fault: str, server: Results, make_meta: MakeMeta, tmp_path: Path
) -> None:
    """The record is sent again, with the same key and the same bytes, and kept once."""
    server.faults[:] = ["", fault, fault]
    assert "sent 3 of 3" in RemoteReporter(server.target).report(records(*NAMES), make_meta())
    assert server.names() == NAMES
    assert len(server.requests) >= 4
    bodies = {body["key"]: body for body in server.bodies}
    assert all(body == bodies[body["key"]] for body in server.bodies)
    assert files(tmp_path) == []


@pytest.mark.parametrize("fault", ["hang", "drip"])
def test_a_server_that_gives_no_answer_is_left(
    fault: str, server: Results, make_meta: MakeMeta, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither silence nor a byte now and then holds us; what it has is dropped there by its key."""
    with monkeypatch.context() as short:  # for the first request alone, however busy we are
        short.setattr(connection, "SILENCE", 3.0 if fault == "hang" else 300.0)
        short.setattr(connection, "WHOLE", 300.0 if fault == "hang" else 3.0)
        monkeypatch.setattr(time, "sleep", lambda _: short.undo())
        server.faults[:] = [fault]
        assert "sent 3 of 3" in RemoteReporter(server.target).report(records(*NAMES), make_meta())
    assert server.names() == NAMES
    assert len(server.bodies) == 4


@pytest.mark.parametrize("code", [401, 403, 404, 301, 302, 303])
def test_what_only_a_person_can_mend_is_an_error(
    code: int, server: Results, make_meta: MakeMeta, tmp_path: Path
) -> None:
    """Nothing is sent elsewhere or as a GET, nothing is lost, and later it is sent."""
    server.faults[:] = [f"redirect {code} /other" if code // 100 == 3 else f"status {code}"]
    reporter = RemoteReporter(server.target)
    with pytest.raises(
        UndeliveredError, match=rf"^sent 0 of 3 .*; 3 wait in .*says {code} "
    ) as info:
        reporter.report(records(*NAMES), make_meta())
    assert TOKEN not in str(info.value)
    assert len(server.requests) == 1
    assert files(tmp_path) == ["waiting"]
    reporter = RemoteReporter(server.target)
    assert reporter.report(records("d"), make_meta()) == f"sent 4 of 4 records to {server.target}"
    assert server.names() == [*NAMES, "d"]


@pytest.mark.parametrize("code", [307, 308])
def test_no_other_server_gets_records_or_token(
    code: int, server: Results, make_meta: MakeMeta, tmp_path: Path
) -> None:
    """Another port is another server."""
    other = serve(Results())
    foreign = next(other)
    server.faults[:] = [f"redirect {code} http://127.0.0.1:{foreign.port}/log"]
    with pytest.raises(UndeliveredError, match="redirects to another server, which is not follow"):
        RemoteReporter(server.target).report(records("a"), make_meta())
    assert (len(server.requests), foreign.requests) == (1, [])
    assert files(tmp_path) == ["waiting"]
    next(other, None)


@pytest.mark.parametrize("where", ["/log", "", "http://[", "http://127.0.0.1:x/"])
def test_a_redirect_to_nowhere_ends(where: str, server: Results, make_meta: MakeMeta) -> None:
    """In a circle, or to what is no address."""
    server.faults[:] = [f"redirect 307 {where}"] * 9
    with pytest.raises(UndeliveredError, match="it redirects"):
        RemoteReporter(server.target).report(records("a"), make_meta())


@pytest.mark.parametrize("code", [400, 413, 422])
def test_a_record_that_is_refused_holds_up_no_other(
    code: int, server: Results, make_meta: MakeMeta, tmp_path: Path
) -> None:
    """It is kept, and sent again only when that is asked for."""
    server.faults[:] = ["", f"status {code}"]
    reporter = RemoteReporter(server.target)
    with pytest.raises(UndeliveredError, match=rf"^sent 2 of 3 .*; 1 refused, in .*says {code} "):
        reporter.report(records(*NAMES), make_meta())
    assert server.names() == ["a", "c"]
    assert files(tmp_path) == ["refused"]
    assert "sent 0 of 0" in reporter.report(records(*NAMES), make_meta())
    reporter.spool.try_refused()
    assert "sent 1 of 1" in reporter.flush()
    assert server.names() == ["a", "c", "b"]
    assert files(tmp_path) == []


def test_a_server_that_asks_for_more_time_than_there_is_gets_it(
    server: Results, make_meta: MakeMeta, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Retry-After is waited for up to a bound; beyond it the records wait on disk."""
    waited: list[float] = []
    monkeypatch.setattr(time, "sleep", waited.append)
    server.faults[:] = ["status 429 7", "status 503 31"]
    line = RemoteReporter(server.target).report(records("a"), make_meta())
    assert waited == [7.0]
    assert "1 wait in" in line
    assert line.endswith("(it says 503 Service Unavailable, and asks us to wait 31 s)")
    assert len(server.requests) == 2


def test_pauses_grow_and_end(
    server: Results, make_meta: MakeMeta, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that is away is asked a few times, for one record, not for all."""
    waited: list[float] = []
    monkeypatch.setattr(retries, "PAUSES", (1.0, 4.0, 16.0))
    monkeypatch.setattr(time, "sleep", waited.append)
    server.faults[:] = ["status 500"] * 99
    assert "3 wait" in RemoteReporter(server.target).report(records(*NAMES), make_meta())
    assert len(server.requests) == 4
    assert all(low <= each <= 1.5 * low for low, each in zip((1, 4, 16), waited, strict=True))


@pytest.mark.usefixtures("_spool")
def test_a_server_that_is_away_gets_all_when_it_is_back(
    make_meta: MakeMeta, tmp_path: Path
) -> None:
    """In the order in which it was reported."""
    with socket.socket() as ours:  # whose port nobody else is given, and which takes no connection
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        ours.bind(("127.0.0.1", 0))
        results = Results(port=ours.getsockname()[1])
        for name in NAMES:
            line = RemoteReporter(results.target).report(records(name, f"{name}2"), make_meta())
            assert line.startswith("sent 0 of ")
            assert line.endswith("(Connection refused)")
        assert files(tmp_path) == ["waiting"] * 3
        back = serve(results)
        next(back)
    assert "sent 6 of 6" in RemoteReporter(results.target).flush()
    assert results.names() == ["a", "a2", "b", "b2", "c", "c2"]
    assert len(results.requests) == 6
    assert files(tmp_path) == []
    next(back, None)


def test_a_server_that_was_away_is_not_asked_for_each_test(
    server: Results, make_meta: MakeMeta, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That takes longer than many a test; a minute later it is asked again."""
    reporter = RemoteReporter(server.target)
    server.faults[:] = ["status 503 999"]
    reporter.report(records("a"), make_meta())
    for name in "bcd":
        line = reporter.report(records(name), make_meta())
    assert line == f"4 records wait for {server.target}, which was away"
    assert len(server.requests) == 1
    monkeypatch.setattr(remote, "monotonic", lambda: time.monotonic() + remote.REST)
    assert "sent 5 of 5" in reporter.report(records("e"), make_meta())


def test_what_was_acknowledged_is_never_sent_again(server: Results, make_meta: MakeMeta) -> None:
    """The same records of the same run are the same records, however often they are reported."""
    for _ in range(3):
        RemoteReporter(server.target).report(records(*NAMES), make_meta())
    assert len(server.requests) == 3
    RemoteReporter(server.target).report(records("a"), make_meta(time=1.0))
    assert len(server.kept) == 4


def test_the_keys_that_are_remembered_are_bounded(
    server: Results, make_meta: MakeMeta, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of late are."""
    monkeypatch.setattr(spool, "MOST_KEYS", 3)
    reporter = RemoteReporter(server.target)
    for name in "abcdefg":
        reporter.report(records(name), make_meta())
    assert len(reporter.spool.sent_keys()) == 3
    reporter.report(records("e", "f", "g"), make_meta())
    assert len(server.requests) == 7


def test_one_connection_carries_all_and_is_made_again(
    server: Results, make_meta: MakeMeta, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server may close it whenever it likes."""
    made: list[int] = []
    connect = connection.Connection.connect

    def count(self: connection.Connection) -> Any:
        made.append(1)
        return connect(self)

    monkeypatch.setattr(connection.Connection, "connect", count)
    RemoteReporter(server.target).report(records(*NAMES), make_meta())
    assert len(made) == 1
    server.faults[:] = ["", "close"]
    RemoteReporter(server.target).report(records("d", "e", "f"), make_meta())
    assert len(made) == 3
    assert server.names() == [*NAMES, "d", "e", "f"]


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("", "must be <domain>"),
        ("host/log", "must be <domain>"),
        ("|cat", "must be <domain>"),
        ("host/log|", "must be <domain>"),
        ("host/log|a|b", "must be <domain>"),
        ("host/log|a\x1b", "category"),
        ("ftp://host/log|a", "unknown scheme 'ftp'"),
        ("http://example.org/log|a", "asked by http, by which anybody"),
        ("https://me:mine@example.org/log|a", "holds a login"),
        ("https://example.org/log?token=mine|a", "holds a secret"),
        ("https://exa mple.org/log|a", "no URL has such characters"),
        ("https:///log|a", "names no host"),
        ("$NOT_THERE|a", "no such environment variable"),
    ],
)
def test_a_wrong_address_is_refused_before_anything_is_measured(target: str, words: str) -> None:
    """In a line that holds no login."""
    with pytest.raises(UsageError, match=words) as info:
        RemoteReporter(target)
    assert "mine@" not in str(info.value)


def test_an_address_is_asked_by_https_unless_it_says_otherwise() -> None:
    """FAI-PEP's <domain>/<endpoint>, without a scheme; http only where that is allowed."""
    assert origin_of(RemoteReporter("example.org/log|a").endpoint.address.url) == (
        "https",
        "example.org",
        443,
    )
    reporter = RemoteReporter("http://example.org/log|a", allow_http=True)
    assert origin_of(reporter.endpoint.address.url) == ("http", "example.org", 80)
