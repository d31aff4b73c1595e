import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from opperf.core.errors import UsageError
from opperf.core.results.reading import from_mapping
from opperf.core.results.result import Result
from opperf.core.results.status import STATUSES
from opperf.storing.database import importing, schema
from opperf.storing.database.connection import Database, create_store
from opperf.storing.database.histories import choose_series, points_of
from opperf.storing.database.importing import SUPERSEDED, Importer
from opperf.storing.database.line import result_key
from opperf.storing.database.medians import medians_of
from opperf.storing.database.reading import find_run, lines_of, list_runs, read_run
from opperf.storing.database.verifying import verify
from tests.records import changed

MakeResult = Callable[..., Result]
Put = Callable[[Database, Sequence[Result]], Importer]
Write = Callable[..., Path]
HOSTILE = (
    "'; DROP TABLE opperf_result; --",
    'a"b|c\nd\te',
    "\x1b[2J\x07",
    "=cmd()",
    "</script><img src=x onerror=alert(1)>",
    "x" * 10_000,
    "".join(map(chr, range(0x4E00, 0x4E00 + 10_000))),
    "\0nul\0",
    "% _ \\ {} %s :name $1",
    "",
)


def stored(store: Database, run: str = "last") -> list[Result]:
    """Return what the store has of a run."""
    with store.reading() as connection:
        return read_run(connection, find_run(connection, run))


def count(store: Database) -> int:
    """Return how many results the store has."""
    with store.reading() as connection:
        return sum(1 for _ in lines_of(connection))


def texts(results: Sequence[Result]) -> list[str]:
    """Return results in a form that has every field."""
    return [json.dumps(result.to_mapping(), sort_keys=True) for result in results]


def test_results_come_back_as_they_were(store: Database, make_result: MakeResult, put: Put) -> None:
    """In their order, in every field, whatever became of them."""
    results = [
        make_result(tags=("nightly", "a"), command="opperf run", environment={"cpu": "Z80"}),
        make_result(status="failed", summary=None, samples=None, reason="no\nreason"),
        make_result(run_id="20261121T031502-7f3a9c", started_at="2026-11-21T03:15:02Z"),
        *(make_result(status=status) for status in STATUSES),
    ]
    importer = put(store, results)
    assert importer.stored == len(results)
    assert texts(stored(store)) == texts(results)


def test_a_second_import_changes_nothing(
    store: Database, make_result: MakeResult, put: Put
) -> None:
    """Of two overlapping journals, each result is stored once."""
    results = [make_result() for _ in range(1200)]
    assert put(store, results[:700]).stored == 700
    again = put(store, results)
    assert (again.stored, again.present) == (500, 700)
    assert count(store) == 1200


def test_a_row_measured_once_more_counts_once(
    store: Database, make_result: MakeResult, put: Put
) -> None:
    """In the history of its series and in its run; both lines stay, whatever is imported when."""
    first, other = make_result(status="noisy"), make_result(series_key="2" * 16)
    second = make_result(supersedes=first.result_id)
    put(store, [first, other])
    assert [result.result_id for result in stored(store)] == [first.result_id, other.result_id]
    assert medians(store) == [1, 1]
    for _ in range(2):
        importer = put(store, [first, other, second])
    assert (importer.stored, importer.present) == (0, 3)
    assert [result.result_id for result in stored(store)] == [second.result_id, other.result_id]
    assert medians(store) == [1, 1]
    assert count(store) == 3
    with store.reading() as connection:
        assert [row.n for row in list_runs(connection)] == [2]


@pytest.mark.parametrize("at_once", [True, False])
def test_of_doubtful_results_of_a_row_the_surest_counts(
    store: Database, make_result: MakeResult, put: Put, *, at_once: bool
) -> None:
    """Whatever is imported when, also from a journal in which each stands in for the last one."""
    results: list[Result] = []
    for precision in (0.17, 0.6, 0.3):
        interval = [1e-6 * (1 - precision), 1e-6 * (1 + precision)]
        summary = {"median": 1e-6, "interval": interval, "precision": precision, "warnings": []}
        last = results[-1].result_id if results else None
        results.append(make_result(status="noisy", summary=summary, supersedes=last))
    put(store, results if at_once else results[:2])
    assert stored(store) == results[:1]
    put(store, results)
    assert stored(store) == results[:1]
    assert verify(store) == 3
    sure = make_result(supersedes=results[0].result_id)
    put(store, [*results, sure])
    assert stored(store) == [sure]
    assert medians(store) == [1]
    assert verify(store) == 4


def test_what_an_earlier_version_set_aside_counts_again(
    store: Database, make_result: MakeResult, put: Put
) -> None:
    """It let the later one count; its journal is imported once more, and only that changes it."""
    interval = {"median": 1e-6, "interval": [0.9e-6, 1.1e-6], "precision": 0.1, "warnings": []}
    first = make_result(status="noisy", summary=interval)
    second = make_result(status="noisy", supersedes=first.result_id)
    put(store, [first, second])
    with store.writing() as connection:
        importer = Importer(connection)
        (run,) = connection.scalars(select(schema.run.c.id))
        importer.tell((run, result_key(first.result_id)), (SUPERSEDED, *[None] * 4))
        importer.tell((run, result_key(second.result_id)), ("noisy", 1.5e-6, None, None, 3))
    assert stored(store) == [second]
    put(store, [first, second])
    assert stored(store) == [first]
    assert verify(store) == 2


def medians(store: Database) -> list[int]:
    """Return how many times each series has in its history, and that the fast look sees as many."""
    with store.reading() as connection:
        series = [row.id for row in choose_series(connection, lambda _: True, None)]
        points = points_of(connection, series)
        fast = {one.series: len(one.seconds) for one in medians_of(connection, series)}
    assert fast == {number: len(found) for number, found in points.items()}
    return [len(points[number]) for number in series]


def test_a_journal_with_duplicates_is_stored_once(
    store: Database, make_result: MakeResult, put: Put
) -> None:
    """A line that is there twice counts as present."""
    result = make_result()
    importer = put(store, [result, make_result(), result])
    assert (importer.stored, importer.present) == (2, 1)


def test_a_duplicate_is_found_however_far_away(
    store: Database, make_result: MakeResult, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where more results came between the two than are remembered."""
    monkeypatch.setattr(importing, "MOST_KEYS", 600)
    results = [make_result() for _ in range(2100)]
    importer = put(store, [*results, results[0], results[1900]])
    assert (importer.stored, importer.present) == (2100, 2)


@pytest.mark.parametrize("earlier", [True, False])
def test_an_id_of_another_result_is_refused(
    store: Database, make_result: MakeResult, put: Put, *, earlier: bool
) -> None:
    """Whether the other one is in the store or in the same journal; nothing is stored then."""
    result = make_result()
    if earlier:
        put(store, [result])
    before = count(store)
    with pytest.raises(UsageError, match=r"results\.jsonl line \d: .* stands for another result"):
        put(store, [make_result(), result, changed(result, seed=7)])
    assert count(store) == before


def test_a_result_of_another_run_is_another_one(
    store: Database, make_result: MakeResult, put: Put
) -> None:
    """Ids are looked for within a run."""
    result = make_result()
    assert put(store, [result, changed(result, run_id=None)]).stored == 2


def test_a_damaged_journal_stores_nothing(
    store: Database, make_result: MakeResult, write: Write
) -> None:
    """The line is named; what stands before it is not stored either."""
    path = write([make_result() for _ in range(3)])
    path.write_bytes(path.read_bytes().replace(b'"status":"ok"', b'"status":"fine"', 1))
    with store.writing() as connection, pytest.raises(UsageError, match=r"line 1: .*'fine'"):
        Importer(connection).add_file(path)
    assert count(store) == 0


def test_a_torn_last_line_is_left_out(
    store: Database, make_result: MakeResult, write: Write
) -> None:
    """As when a journal is read; the whole line can come later."""
    path = write([make_result(), make_result()])
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    for expected in (1, 2):
        with store.writing() as connection:
            torn = Importer(connection).add_file(path)
        assert count(store) == expected
        assert ("torn" in str(torn)) == (expected == 1)
        path.write_bytes(whole)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_a_name(
    name: str, store: Database, make_result: MakeResult, put: Put
) -> None:
    """Quotes, pipes, controls and 10,000 characters are stored and found as they are."""
    operator = {**make_result().operator.to_mapping(), "name": name, "framework": name}
    result = make_result(
        operator=operator, run_id=name, tags=(name,), command=name, series_key=name,
        environment={"machine_key": name, "cpu": name, name: name}, attributes={name: [name]},
    )  # fmt: skip
    put(store, [result])
    assert texts(stored(store)) == texts([result])
    with store.reading() as connection:
        assert list_runs(connection)[0].n == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"started_at": "yesterday"}, "'yesterday' is no time"),
        ({"session": 2**62 + 1}, "'session' must be below 2"),
    ],
)
def test_what_fits_into_no_column_is_refused(
    changes: dict[str, Any], message: str, store: Database, make_result: MakeResult, put: Put
) -> None:
    """With the line that has it."""
    with pytest.raises(UsageError, match=f"line 2: .*{message}"):
        put(store, [make_result(), make_result(**changes)])


def test_fields_in_another_order_are_the_same_result(
    store: Database, make_result: MakeResult, put: Put, write: Write
) -> None:
    """A journal that another program wrote again is read as well, and nothing is doubled."""
    result = make_result(environment={"machine_key": "m"})
    put(store, [result])
    path = write([result])
    path.write_text(json.dumps(json.loads(path.read_text()), sort_keys=True, indent=None) + "\n")
    with store.writing() as connection:
        importer = Importer(connection)
        importer.add_file(path)
    assert (importer.stored, importer.present) == (0, 1)


def refusal(store: Database, path: Path) -> str | None:
    """Import a file; return why it is refused, None where it is not."""
    try:
        with store.writing() as connection:
            Importer(connection).add_file(path)
    except UsageError as error:
        return str(error)
    return None


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Database:
    """Return a store to try to import into, over and over."""
    return create_store(str(tmp_path_factory.mktemp("fuzz") / "results.db"))


@given(content=st.binary(max_size=400))
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
def test_random_bytes_are_refused_in_one_line(
    content: bytes, fuzzed: Database, tmp_path: Path
) -> None:
    """Nothing but a UsageError, and nothing in the store."""
    path = tmp_path / "results.jsonl"
    path.write_bytes(content)
    said = refusal(fuzzed, path)
    assert said is None or "\n" not in said
    assert count(fuzzed) == 0


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(data=st.data())
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
def test_random_valid_looking_lines_are_stored_or_refused(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory, make_result: MakeResult
) -> None:
    """A line either comes back as it was, or an error names it."""
    record = make_result().to_mapping()
    name = data.draw(st.sampled_from(sorted(record)))
    record[name] = data.draw(JSON)
    folder = tmp_path_factory.mktemp("line")
    path, store = folder / "results.jsonl", create_store(str(folder / "results.db"))
    path.write_text(json.dumps(record) + "\n")
    said = refusal(store, path)
    if said is None:
        assert texts(stored(store)) == texts([from_mapping(json.loads(path.read_text()))])
    else:
        assert "line 1" in said
        assert count(store) == 0
