"""Several hosts in one store: who they are, how they compare, and what changed, by the verbs."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli import main
from opperf.storing.database.hosts import hosts_of
from tests.history.fleets import MadeFleet, MadeHost, slower_from, steady

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from opperf.storing.database.connection import Database

    Ask = Callable[..., tuple[int, str, str]]

STEP = 18
SINCE = ("--since", "2026-09-15")
XEON = {"cpu": "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz"}


@pytest.fixture
def ask(address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Return a function that carries a verb out on the store of the test."""
    monkeypatch.setenv("OPPERF_STORE", address)
    monkeypatch.setenv("COLUMNS", "400")  # a line each

    def carry_out(*words: str) -> tuple[int, str, str]:
        code = main(words)
        return code, *capsys.readouterr()

    return carry_out


@pytest.fixture
def fill(ask: Ask, make_result: Any, tmp_path: Path) -> Callable[[list[MadeHost]], None]:
    """Return a function that puts what hosts measured into the store."""

    def put(hosts: list[MadeHost]) -> None:
        paths = MadeFleet(hosts).write(tmp_path, json.loads(make_result().to_json()))
        assert ask("db", "init")[0] == 0
        assert ask("import", *paths)[0] == 0

    return put


def test_a_change_of_code_is_told_once_with_its_ratio_over_hosts(ask: Ask, fill: Any) -> None:
    """Three hosts of a kind show it; one of another kind is not pooled with them."""
    slow = slower_from(STEP, 1.05, "Flip")
    fill([*(MadeHost(f"a{place}", slow) for place in range(3)), MadeHost("x", slow, XEON)])
    code, out, _ = ask("changes", *SINCE)
    told = [line for line in out.splitlines() if line[0] not in "! "]
    assert code == 10
    assert len(told) == 2
    assert told[0].startswith("code: 2026-09-19 Flip")
    assert "over 3 hosts of AMD EPYC 7B13 x64, 256 GiB" in told[0]
    assert "which differ by no more than their own noise" in told[0]
    assert told[1].startswith("undecided: 2026-09-19 Flip")
    assert "there is one host, and 0 of 20 calibration operators moved" in told[1]
    rows = json.loads(ask("changes", *SINCE, "--format", "json")[1])
    pooled = {row["host"]: row for row in rows}
    assert {row["cause"] for row in rows if row["host"] != "x"} == {"code"}
    assert pooled["a0"]["pooled_low"] < 1.05 < pooled["a0"]["pooled_high"]
    assert (pooled["a0"]["hosts"], pooled["a0"]["hosts_moved"], pooled["x"]["hosts"]) == (3, 3, 1)


def test_a_host_that_drifts_is_told_from_a_change_of_code(ask: Ask, fill: Any) -> None:
    """All operators on one of three hosts: 21 changes, and one line of what they are due to."""
    fill([MadeHost("a0"), MadeHost("a1", slower_from(STEP, 1.06)), MadeHost("a2")])
    code, out, err = ask("changes", *SINCE)
    told = [line for line in out.splitlines() if line[0] not in "! "]
    assert (code, len(told)) == (10, 1)
    assert told[0].startswith(
        "host: 2026-09-19 a1 changed, not the code: 20 of 20 calibration operators moved by +"
    )
    assert told[0].endswith("and 2 other hosts stood still; 21 of the changes are its own")
    assert "21 changes in 63 series" in err
    standings = {row["host"]: row for row in json.loads(ask("db", "hosts", "--format", "json")[1])}
    assert standings["a1"]["low"] > 1 > standings["a0"]["low"]
    assert standings["a1"]["factor"] == pytest.approx(1.05, abs=0.02)


def test_a_history_of_several_hosts_is_of_each_and_then_of_all(ask: Ask, fill: Any) -> None:
    """`history` tells what hosts show together below what each shows."""
    fill([MadeHost(f"a{place}", slower_from(STEP, 0.9, "Add")) for place in range(3)])
    code, out, _ = ask("history", "Add")
    assert code == 0
    assert all(f"host a{place}, AMD EPYC 7B13 x64" in out for place in range(3))
    assert "machine changed" not in out
    assert "\ncode: 2026-09-19 Add" in out
    one = ask("history", "Add", "--host", "A1", "--kind", "epyc")[1]
    assert one.count("host a1") == 1
    assert "host a0" not in one
    assert "seen on 3 of 3 hosts" in one
    rows = [*csv.DictReader(io.StringIO(ask("history", "Add", "--format", "csv")[1]))]
    assert {row["cause"] for row in rows if row["change"]} == {"code"}
    assert {row["host_kind"][:18] for row in rows} == {"AMD EPYC 7B13 x64,"}


def test_unknown_hosts_and_kinds_are_refused_with_what_there_is(ask: Ask, fill: Any) -> None:
    """By `history` and by `changes`; a kind that only another host is of is none of this one's."""
    fill([MadeHost("a0"), MadeHost("x", steady, XEON)])
    for verb in (("history", "Add"), ("changes",)):
        code, _, err = ask(*verb, "--host", "b")
        assert (code, err) == (2, "opperf: unknown host 'b' in the store; allowed: a0, x\n")
        code, _, err = ask(*verb, "--kind", "arm")
        assert code == 2
        assert "unknown kind 'arm' in the store; allowed: AMD EPYC" in err
        code, _, err = ask(*verb, "--host", "x", "--kind", "epyc")
        assert code == 2
        assert "AMD" not in err.split("allowed:")[1]


def test_hosts_without_names_are_their_machines(ask: Ask, fill: Any) -> None:
    """As stores have them that were made before hosts had names, known by their machine's key."""
    fill([MadeHost(None, facts={"machine_key": "4a71"})])
    (row,) = json.loads(ask("db", "hosts", "--format", "json")[1])
    assert (row["host"], row["machine"], row["factor"], row["series"]) == (None, "4a71", None, 21)
    assert ask("history", "Add", "--host", "4A71")[0] == 0
    assert "machine 4a71" in ask("history", "Add")[1]


def test_facts_of_any_type_make_a_host(store: Database, put: Any, make_result: Any) -> None:
    """A record may come from anywhere: a name that is no text, an escape, lists of anything."""
    odd = {
        "machine_key": "m", "host": {"a": 1}, "cpu": "\x1b[31mZ80", "cores": "2", "gpu": "none",
        "memory_bytes": -1, "caches": [None], "hypervisor": 7,
    }  # fmt: skip
    put(store, [make_result(environment=odd), make_result(environment={})])
    with store.reading() as connection:
        found = hosts_of(connection)
    assert {one.label for one in found.values()} == {"{'a': 1}", "None"}
    assert all(len(one.kind_key) == 16 for one in found.values())


def test_an_empty_store_has_no_hosts(ask: Ask) -> None:
    """It says so by an empty table."""
    assert ask("db", "init")[0] == 0
    assert ask("db", "hosts", "--format", "json")[:2] == (0, "[]\n")
    assert ask("changes", "--host", "a")[0] == 2
