"""The verbs of a store, and runs that store themselves."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest

from opperf.storing.database.connection import open_store
from tests.conftest import told

if TYPE_CHECKING:
    from collections.abc import Iterator

RUN = ("run", "-k", "name=Add", "--framework", "numpy", "--runs", "6", "--quiet")
STORE = ("--store", "results.db")


def test_a_run_stores_itself_after_its_journal(opperf: Any) -> None:
    """And what resume adds is stored as well; a store that is not there stops it before."""
    refused = opperf.run(*RUN, *STORE)
    assert refused.returncode == 2
    assert "there is no store at" in refused.stderr
    assert opperf.runs() == []
    assert opperf.run("db", "init", *STORE).returncode == 0
    assert opperf.run(*RUN, *STORE).returncode == 0
    local = json.loads(opperf.run("show", "last", "--format", "json").stdout)
    stored = json.loads(opperf.run("show", "last", "--format", "json", *STORE).stdout)
    assert stored == local
    again = opperf.run("import", "last", *STORE)
    assert f"0 results stored, {len(local)} were there already" in again.stderr


def test_a_run_whose_store_fails_keeps_its_journal(opperf: Any) -> None:
    """The line says where the results are, and how they get into the store."""
    opperf.run("db", "init", *STORE)
    path = opperf.directory / "results.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TRIGGER no BEFORE INSERT ON opperf_result "
                       "BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END")  # fmt: skip
    connection.close()
    found = opperf.run(*RUN, *STORE)
    assert found.returncode == 1
    assert "free space" in found.stderr
    assert "put them there with `opperf import`" in found.stderr
    assert opperf.records()


def test_without_a_store_the_verbs_say_how_to_name_one(call: Any) -> None:
    """One line, and nothing is made."""
    for words in (("history", "Add"), ("changes",), ("db", "verify"), ("baseline", "show")):
        found = call(*words)
        assert found.returncode == 2
        assert "no store is named; give --store" in found.stderr


def test_a_package_that_is_missing_is_named() -> None:
    """With what installs it."""
    program = "import sys; sys.modules['sqlalchemy'] = None; from opperf.cli import main; "
    verb = "sys.exit(main(['import', 'last', '--store', 'results.db']))"
    found = run([sys.executable, "-c", program + verb], capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert found.stderr == "opperf: a store needs sqlalchemy: pip install 'opperf[store]'\n"


def test_a_password_on_the_command_line_is_refused(call: Any, monkeypatch: Any) -> None:
    """It is not shown either; in the variable it is allowed, and hidden."""
    found = call("changes", "--store", "postgresql://me:geheim@host/db")
    assert found.returncode == 2
    assert "OPPERF_STORE" in found.stderr
    monkeypatch.setenv("OPPERF_STORE", "postgresql://me:geheim@localhost:1/db?connect_timeout=1")
    shown = call("config", "--format", "json")
    failed = call("changes")
    assert failed.returncode == 1
    assert "geheim" not in found.stderr + shown.stdout + failed.stderr


def test_a_store_that_cannot_be_written_is_named(call: Any, tmp_path: Path) -> None:
    """A folder that is not there, and a file that is no database."""
    found = call("db", "init", "--store", "none/results.db")
    assert (found.returncode, "cannot open store" in found.stderr) == (2, True)
    (tmp_path / "text.db").write_text("hello\n" * 1000)
    found = call("changes", "--store", "text.db")
    assert (found.returncode, "is no store" in found.stderr) == (2, True)


def test_an_unknown_operator_gets_the_nearest_match(call: Any) -> None:
    """Of those in the store."""
    call("db", "init", *STORE)
    call(*RUN, *STORE)
    found = call("history", "Ad", *STORE)
    assert found.returncode == 2
    assert "did you mean 'Add'?" in found.stderr
    assert call("history", "add", *STORE).returncode == 0
    assert call("history", "Add", "--framework", "mxnet", *STORE).returncode == 12


def test_gc_and_merge_and_verify(call: Any) -> None:
    """Samples can go while results stay; two stores become one, twice the same."""
    call("db", "init", *STORE)
    call(*RUN, *STORE)
    removed = call("db", "gc", "--samples-before", "2999-01-01", *STORE)
    assert "samples, 0 unused rows" in removed.stderr
    call("db", "init", "--store", "other.db")
    assert (
        " 0 were there already" in call("db", "merge", "results.db", "--store", "other.db").stderr
    )
    assert " 0 results copied" in call("db", "merge", "results.db", "--store", "other.db").stderr
    assert "all of them whole" in call("db", "verify", "--store", "other.db").stderr
    shown = json.loads(call("show", "last", "--format", "json", "--store", "other.db").stdout)
    assert all(row["seconds"] for row in shown)
    assert "0 results stored" in call("import", "last", *STORE).stderr
    assert call("db", "gc", "--results-before", "2999-01-01", *STORE).returncode == 0
    assert "0 results, all of them whole" in call("db", "verify", *STORE).stderr


@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "parquet", "pytest-benchmark"])
def test_a_run_is_exported(form: str, call: Any, tmp_path: Path) -> None:
    """In each form, from the folder; an existing file is not replaced unasked."""
    call(*RUN)
    words = ("export", "last", "--output-format", form, "--output-file", "out")
    assert call(*words).returncode == 0
    path = tmp_path / "out"
    assert stat.S_IMODE(path.stat().st_mode) & stat.S_IRUSR
    assert rows_of(path, form) == 1
    assert call(*words).returncode == 2
    assert call(*words, "--force").returncode == 0
    assert call(*words[:-1], "other", "-k", "name=Add and status=failed").returncode == 12


def rows_of(path: Path, form: str) -> int:
    """Return how many forward results a file has."""
    if form == "parquet":
        from pyarrow import parquet

        return parquet.read_table(path).column("direction").to_pylist().count("forward")
    text = path.read_text()
    if form == "pytest-benchmark":
        names = [one["name"] for one in json.loads(text)["benchmarks"]]
        return sum(name.endswith("-forward]") for name in names)
    return text.count('"forward"') if form.startswith("json") else text.count(",forward,")


def test_the_statistics_of_a_run_and_of_two(call: Any) -> None:
    """Percentiles of the samples; against itself, every difference is zero."""
    call(*RUN)
    (row,) = json.loads(call("show", "last", "--statistics", "--format", "json").stdout)
    assert row["p0"] <= row["p10"] <= row["p50"] <= row["p90"] <= row["p100"]
    (same,) = json.loads(call("show", "last", "--against", "last", "--format", "json").stdout)
    assert {same[name] for name in ("p0", "p50", "mean", "stdev", "mad", "cv")} == {0.0}


def test_nothing_else_imports_the_database(opperf: Any) -> None:
    """Without a store named, SQLAlchemy, psycopg and pyarrow stay on the disk."""
    script = (
        "import sys, opperf.cli.parser, opperf.measuring.children.timing, opperf.cli as cli;"
        "cli.main(['list', '--format', 'json']);"
        "print({'sqlalchemy', 'psycopg', 'pyarrow'} & set(sys.modules), file=sys.stderr)"
    )
    assert opperf.execute([sys.executable, "-c", script]).stderr == "set()\n"


def test_a_file_of_another_tool_is_imported_once(call: Any, tmp_path: Path) -> None:
    """With the date that it lacks."""
    rows = {"add": [{"avg_time_forward_add": 4.0, "inputs": {"lhs": [8, 8]}}]}
    (tmp_path / "past.json").write_text(json.dumps(rows))
    call("db", "init", *STORE)
    assert call("import", "past.json", *STORE).returncode == 2
    words = ("import", "past.json", "--at", "2019-03-01", "--machine", "old", *STORE)
    assert "1 results stored" in call(*words).stderr
    assert "0 results stored, 1 were there" in call(*words).stderr
    assert "2019-03-01" in call("history", "add", "--machine", "old", *STORE).stdout


READ_ONLY = """\
import io, json, os, sys
from contextlib import redirect_stderr, redirect_stdout
from opperf.cli import main

folder, commands = json.loads(sys.argv[1])
os.chdir(folder)

def carry_out(words):
    said = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(said):
        return main(words), said.getvalue()

for words in commands[:-1]:
    carry_out(words)  # imports what it needs, as somebody who may read it
if os.getuid() == 0:  # whom no permissions stop
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
print(json.dumps([carry_out(words) for words in commands]))
"""


@pytest.fixture
def only_read(make_result: Any, call: Any) -> Iterator[Path]:
    """Return a store in a folder, in neither of which anybody may write."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "results.db"
        call("db", "init", "--store", str(path))
        journal = Path(folder) / "results.jsonl"
        journal.write_text("".join(make_result().to_json() + "\n" for _ in range(3)))
        call("import", str(journal), "--store", str(path))
        path.chmod(0o444)
        Path(folder).chmod(0o555)
        yield path
        Path(folder).chmod(0o755)


@pytest.mark.parametrize("is_open", [False, True])
def test_a_store_that_one_may_only_read_is_read(
    opperf: Any, only_read: Path, *, is_open: bool
) -> None:
    """By every verb that only reads, also while somebody who may write it does; by no other."""
    store = ("--store", str(only_read))
    commands = [
        ("history", "Add", *store), ("changes", "--since", "9999d", *store),
        ("show", "last", *store), ("db", "verify", *store),
        ("export", "last", *store, "--output-file", "/proc/new.csv"),
        ("baseline", "set", "last", *store),
    ]  # fmt: skip
    with ExitStack() as stack:
        if is_open and os.getuid() != 0:
            pytest.skip("only root may write a file whose permissions nobody has")
        if is_open:
            stack.enter_context(open_store(str(only_read)).staying_open())
        given = json.dumps([str(only_read.parent), commands])
        found = opperf.execute([sys.executable, "-c", READ_ONLY, given])
    assert found.returncode == 0, found.stderr
    *reading, exporting, writing = json.loads(found.stdout)
    assert [code for code, _ in reading] == [0] * 4, reading
    assert exporting[0] == 2
    assert "/proc/new.csv: " in exporting[1]
    assert writing[0] == 2
    assert "check the path and its permissions" in writing[1]


@pytest.mark.parametrize(
    "words", [("--tag", "a\udcff"), ("--env", "A=\udcff"), ("-k", "name=Add or \udcff")]
)
def test_what_is_not_utf_8_is_refused_where_it_enters(
    call: Any, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """Else the run could be made and not be resumed."""
    for verb in (RUN, ("ab", "--a", ".", "--b", ".")):
        found = call(*verb, *words)
        assert found.returncode == 2
        assert "is not UTF-8" in found.stderr or verb[0] == "ab"
        assert len(told(found.stderr)) == 1
    assert list(tmp_path.iterdir()) == []


CELLS = [
    ("opperf_result", "started_at", "abc"),
    ("opperf_result", "median", "1 ms"),
    ("opperf_result", "median", 1e300),
    ("opperf_result", "line", 5),
    ("opperf_result", "status", b"\xff"),
    ("opperf_series", "template", "x"),
    ("opperf_series", "operator", b"Add"),
    ("opperf_series", "digest", 10**12),
    ("opperf_run", "started_at", b""),
    ("opperf_environment", "content", 3),
    ("opperf_template", "content", b"x"),
]


@pytest.mark.parametrize(("table", "column", "value"), CELLS)
def test_a_cell_of_another_type_is_left_out(
    call: Any, tmp_path: Path, make_result: Any, table: str, column: str, value: object
) -> None:
    """It is counted, `db verify` names it, and a new store gets what is whole: the lines count."""
    call("db", "init", *STORE)
    for number, name in enumerate(("Add", "Exp")):
        path = tmp_path / f"{number}.jsonl"
        operator = {**make_result().operator.to_mapping(), "name": name}
        changes = {"run_id": name, "operator": operator, "series_key": f"{number:016x}"}
        environment = {"machine_key": name, "cpu": name}
        results = [make_result(**changes, environment=environment) for _ in range(3)]
        path.write_text("".join(result.to_json() + "\n" for result in results))
        assert call("import", str(path), *STORE).returncode == 0
    with closing(sqlite3.connect("results.db")) as connection, connection:
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE id = 1", (value,))  # noqa: S608
    shown = call("history", "Exp", *STORE)
    assert shown.returncode == 0
    assert "Exp" in shown.stdout
    assert call("show", "Exp", *STORE).returncode == 0
    assert call("changes", "--since", "2026-01-01", *STORE).returncode == 0
    other = call("history", "Add", *STORE)
    assert other.returncode in {0, 2, 12}
    if (table, column) in {("opperf_result", "started_at"), ("opperf_result", "median")}:
        assert f"{table}.{column} is the " in other.stderr
        assert "damaged rows left out: 1; `opperf db verify` names all of them" in other.stderr
    verified = call("db", "verify", *STORE)
    assert verified.returncode == 2
    assert f"opperf: {table} 1: {table}.{column} is " in verified.stderr or value == b"x"
    assert "is damaged" in told(verified.stderr)[-1]
    call("db", "init", "--store", "new.db")
    merged = call("db", "merge", "results.db", "--store", "new.db")
    assert merged.returncode == 0
    assert "6 results copied" in merged.stderr or "damaged rows left out: " in merged.stderr
    assert call("db", "verify", "--store", "new.db").returncode == 0
