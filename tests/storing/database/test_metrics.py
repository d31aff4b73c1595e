"""Histories and changes of metrics other than the time: counts, bytes, and what probes yield."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opperf.core.results.result import Result

    Do = Callable[..., tuple[int, str, str]]

BEGIN = datetime(2026, 1, 1, 2, tzinfo=timezone.utc)
STEP, END = 20, 40
"""The day on which the metrics change but not the time, and how many days there are."""
WITHOUT = (5, 6, 7)
"""Days without instructions."""
SINCE = f"{BEGIN + timedelta(days=STEP - 1):%Y-%m-%d}"


def nights(make_result: Callable[..., Result]) -> Iterator[Result]:
    """Yield a result a night: from a day on a tenth more instructions, and half the cache hits."""
    usual = make_result().operator.to_mapping()
    for day in range(END):
        seconds, after = 1e-3 * (1 + 0.001 * (day % 3)), day >= STEP
        metrics = [
            {"name": "hits", "unit": "1", "value": 0.4 if after else 0.8, "better": "more"},
            {"name": "tiles", "unit": "1", "value": 8.0 if after else 4.0, "better": None},
            {"name": "energy", "unit": "J", "value": None, "better": "less", "reason": "no RAPL"},
        ]
        counted = (1.1e6 if after else 1e6) + day % 5
        yield make_result(
            run_id=f"run-{day:03d}",
            started_at=(BEGIN + timedelta(days=day)).isoformat(),
            operator={**usual, "name": "Dot"},
            summary={
                "n": 28, "median": seconds, "interval": [seconds * 0.99, seconds * 1.01],
                "precision": 0.01, "warnings": [],
            },
            environment={"machine_key": "first", "cpu": "one", "packages": {"numpy": f"{after:d}"}},
            counters=None if day in WITHOUT else {"instructions": counted},
            memory={"outputs": 24, "workspace": 4096 if after else 0},
            metrics=tuple({**metric, "per": "call"} for metric in metrics),
        )  # fmt: skip


@pytest.fixture
def opperf(
    store: Any, address: str, make_result: Any, put: Any, monkeypatch: Any, capsys: Any
) -> Do:
    """Return a function that carries out a command on a store of such nights."""
    put(store, list(nights(make_result)))
    monkeypatch.setenv("OPPERF_STORE", address)
    monkeypatch.setenv("COLUMNS", "150")

    def carry_out(*words: str) -> tuple[int, str, str]:
        code = main(words)
        return code, *capsys.readouterr()

    return carry_out


def test_a_step_of_a_metric_is_in_its_history_alone(opperf: Do) -> None:
    """With its size in the metric's unit and what else changed; the time has none."""
    code, text, said = opperf("history", "Dot", "--metric", "instructions")
    assert code == 0
    assert f"{END - len(WITHOUT)} sessions with instructions, {len(WITHOUT)} without" in text
    assert "2026-01-21 1.00 M -> 1.10 M  1.100 [" in text
    assert "] worse, 17 and 20 sessions; packages.numpy 0 -> 1; " in text
    assert "least 1.00 M, median 1.10 M, most 1.10 M" in text
    assert f"instructions: {len(WITHOUT)} of {END} results have no value and are left out" in said
    assert "->" not in opperf("history", "Dot")[1]


def test_the_time_is_as_without_the_option(opperf: Do) -> None:
    """Its rows have the columns that they always had."""
    plain = opperf("history", "Dot", "--format", "json")
    assert opperf("history", "Dot", "--metric", "time", "--format", "json") == plain
    assert [*json.loads(plain[1])[0]][-7:] == [
        "seconds", "low", "high", "n", "ratio", "change", "cause",
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["json", "csv"])
def test_rows_have_the_value_with_its_unit(opperf: Do, form: str) -> None:
    """And no row where there is none; the change stands beside its first session."""
    text = opperf("history", "Dot", "--metric", "instructions", "--format", form)[1]
    if form == "csv":
        assert ",metric,unit,value,low,high,ratio,change" in text.splitlines()[0]
        assert len(text.splitlines()) == 1 + END - len(WITHOUT)
        return
    rows = json.loads(text)
    assert len(rows) == END - len(WITHOUT)
    assert {(row["metric"], row["unit"]) for row in rows} == {("instructions", "1")}
    assert (rows[0]["value"], rows[-1]["value"]) == (1e6, 1.1e6 + 4)
    (change,) = [row for row in rows if row["change"]]
    assert change["at"].startswith("2026-01-21")
    assert change["change"].endswith("-20260121T020000-instructions")


def test_since_leaves_what_is_shown_and_counted(opperf: Do) -> None:
    """The days without a value lie before it."""
    _, text, said = opperf("history", "Dot", "--metric", "instructions", "--since", SINCE)
    assert "21 sessions with instructions\n" in text.replace(", machine", "\n")
    assert "left out" not in said


@pytest.mark.parametrize(
    ("name", "kind", "code"), [("instructions", "worse", 10), ("hits", "worse", 10),
                               ("tiles", "more", 0)]
)  # fmt: skip
def test_what_is_better_decides_what_a_change_is_called(
    opperf: Do, name: str, kind: str, code: int
) -> None:
    """Fewer hits are worse; of what is neither better nor worse there is no regression."""
    found, text, _ = opperf("changes", "--metric", name, "--since", SINCE, "--format", "json")
    (row,) = json.loads(text)
    assert (found, row["kind"], row["regressed"]) == (code, kind, int(code == 10))
    assert row["ratio"] == pytest.approx(1.1 if name == "instructions" else row["ratio"], rel=1e-3)
    assert opperf("changes", "--since", SINCE)[0] == 0


def test_an_acknowledged_change_of_the_time_is_none_of_a_metric(opperf: Do, store: Any) -> None:
    """Who knows that it became slower does not know of the instructions."""
    from opperf.storing.database.notes import acknowledge

    with store.writing() as connection:
        moment = round((BEGIN + timedelta(days=STEP)).timestamp() * 1000)
        acknowledge(connection, 1, moment, 2**52, "known")
    words = ("changes", "--metric", "instructions", "--since", SINCE)
    assert opperf(*words)[0] == 10


def test_a_value_of_zero_is_shown_and_no_change(opperf: Do) -> None:
    """A change is a ratio, and there is none to zero."""
    code, text, said = opperf("history", "Dot", "--metric", "workspace")
    assert (code, said) == (0, f"opperf: workspace: {STEP} values are not above 0 and not judged\n")
    assert f"{END} sessions with workspace, machine" in text
    assert "least 0 B, median 2.05 kB, most 4.10 kB" in text
    assert "worse" not in text


@pytest.mark.parametrize("verb", [("history", "Dot"), ("changes", "--since", SINCE)])
@pytest.mark.parametrize(
    ("name", "code", "line"),
    [
        ("instrctions", 2, "unknown metric 'instrctions'; did you mean 'instructions'? allowed: "),
        ("kernels", 12, " match and have kernels\n"),
        ("energy", 12, " match and have energy; no RAPL\n"),
    ],
)
def test_a_metric_that_is_not_there_is_told_in_one_line(
    opperf: Do, verb: tuple[str, ...], name: str, code: int, line: str
) -> None:
    """With the nearest name and those that exist, those of probes among them."""
    found, text, said = opperf(*verb, "--metric", name)
    assert (found, text) == (code, "")
    assert line in said
    assert len(said.splitlines()) == 1
    assert ("hits, instructions" in said) == (code == 2)


def test_a_value_in_another_unit_is_none(store: Any, make_result: Any, put: Any) -> None:
    """Joules and watts are not put into one history."""
    from opperf.storing.database.metrics import values_of

    units = ("J", "J", "W")
    results = [
        make_result(metrics=({"name": "x", "unit": unit, "value": 1.0, "better": None,
                              "per": "call"},))
        for unit in units
    ]  # fmt: skip
    put(store, results)
    with store.reading() as connection:
        values = values_of(connection, [1], "x")
    assert [point.value for point in values.every(0)] == [1.0, 1.0, None]
    assert values.metric.unit == "J"


def test_no_terminal_obeys_a_name_or_a_unit(
    opperf: Do, store: Any, make_result: Any, put: Any
) -> None:
    """They come from a plug-in's record."""
    bad = "x\x1b[31m\ny"
    usual = make_result().operator.to_mapping()
    metric = {"name": bad, "unit": bad, "better": "less", "per": "call"}
    results = [
        make_result(
            run_id=f"bad-{day}", series_key="b" * 16, operator={**usual, "name": "Bad"},
            started_at=(BEGIN + timedelta(days=day)).isoformat(),
            metrics=({**metric, "value": 2.0 if day < STEP else 3.0},),
        )
        for day in range(END)
    ]  # fmt: skip
    put(store, results)
    for words in (("history", "Bad"), ("changes", "--since", SINCE)):
        code, text, said = opperf(*words, "--metric", bad)
        assert "1.500 [" in text, (code, said)
        assert "\x1b" not in text + said
    refused = opperf("history", "Bad", "--metric", "q")[2]
    assert len(refused.splitlines()) == 1
    assert "\x1b" not in refused
