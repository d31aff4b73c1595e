import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import psutil
import pytest

from opperf.core.errors import UsageError
from opperf.core.results.result import Result
from opperf.storing.database import helper, importing
from opperf.storing.database.connection import Database, create_store
from opperf.storing.database.helper import Helper, Helpers
from opperf.storing.database.importing import BATCH, Importer
from opperf.storing.database.reading import lines_of
from opperf.storing.database.verifying import verify

MakeResult = Callable[..., Result]
MANY = 3 * BATCH + 7

STOPPING = """\
import sys, time
from opperf.cli import main
from opperf.storing.database import helper
from opperf.storing.database.importing import Importer

helper.LARGE, helper.BLOCK, helper.usable_processors = 0, 20_000, lambda: 2

def add_batch(self, lines):
    whole(self, lines)
    print(self.helpers.reader.process.pid, self.helpers.packer.process.pid, flush=True)
    time.sleep(600)

whole, Importer.add_batch = Importer.add_batch, add_batch
sys.exit(main(["import", sys.argv[2], "--store", sys.argv[1]]))
"""


@pytest.fixture
def helpers(monkeypatch: pytest.MonkeyPatch) -> Iterator[Helpers]:
    """Return helpers that start for any file, and take a few lines at a time."""
    monkeypatch.setattr(helper, "LARGE", 0)
    monkeypatch.setattr(helper, "BLOCK", 20_000)
    monkeypatch.setattr(helper, "usable_processors", lambda: 2)
    with Helpers() as started:
        yield started


@pytest.fixture
def many(make_result: MakeResult) -> list[Result]:
    """Return results of some series, enough for several batches and many blocks."""
    return [make_result(attributes={"n": n}, seed=n) for n in range(MANY)]


def add(store: Database, path: Path, helpers: Helpers | None) -> Importer:
    """Import a journal."""
    with store.writing() as connection:
        importer = Importer(connection, helpers)
        importer.add_file(path)
    return importer


def lines(store: Database) -> list[bytes]:
    """Return all lines of a store."""
    with store.reading() as connection:
        return list(lines_of(connection))


def test_what_helpers_prepare_is_stored_as_without_them(
    store: Database,
    many: list[Result],
    write: Any,
    helpers: Helpers,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In its order, each line as it was; and the process itself did nothing of their work."""
    path = write(many)
    with monkeypatch.context() as without:
        without.setattr(importing, "take_apart", None)
        without.setattr(importing, "pack_all", None)
        assert add(store, path, helpers).stored == MANY
    assert b"".join(lines(store)) == path.read_bytes()
    assert verify(store) == MANY


def test_what_comes_again_is_found_among_what_waits_for_a_helper(
    store: Database, many: list[Result], write: Any, helpers: Helpers
) -> None:
    """Also where the earlier line was not inserted yet; and so is a journal that comes again."""
    path = write([*many, many[-1], many[0]])
    for expected in ((MANY, 2), (0, MANY + 2)):
        importer = add(store, path, helpers)
        assert (importer.stored, importer.present) == expected


@pytest.mark.parametrize("name", ["reader", "packer"])
def test_a_helper_that_dies_is_done_without(
    name: str, store: Database, many: list[Result], write: Any, helpers: Helpers
) -> None:
    """Killed by the system for memory, say: nothing is lost, and no later import minds."""
    small = write(many[:9], "small.jsonl")
    add(store, small, helpers)
    process = getattr(helpers, name).process
    process.kill()
    process.wait()
    assert add(store, write(many), helpers).stored == MANY - 9
    assert verify(store) == MANY


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"status":"ok"', b'"status":"fine"'),
        (b'"status":"ok"', b'"status" "ok"'),
        (b'"seed":1400', b'"seed":"much"'),
    ],
)
def test_a_damaged_line_is_told_as_without_helpers(
    old: bytes, new: bytes, store: Database, many: list[Result], write: Any, helpers: Helpers
) -> None:
    """By its number, wherever it stands; nothing is stored, and the next journal is whole."""
    path = write(many)
    rows = path.read_bytes().splitlines(keepends=True)
    rows[1400] = rows[1400].replace(old, new)
    path.write_bytes(b"".join(rows))
    said = []
    for given in (None, helpers):
        with pytest.raises(UsageError, match="line 1401: ") as caught:
            add(store, path, given)
        said.append(str(caught.value))
    assert said[0] == said[1]
    assert lines(store) == []
    assert add(store, write(many), helpers).stored == MANY


def test_a_torn_last_line_is_left_out_with_helpers(
    store: Database, many: list[Result], write: Any, helpers: Helpers
) -> None:
    """And is told with its number."""
    path = write(many)
    path.write_bytes(path.read_bytes()[:-9])
    with store.writing() as connection:
        importer = Importer(connection, helpers)
        torn = importer.add_file(path)
    assert f"line {MANY}: " in str(torn)
    assert importer.stored == MANY - 1


def test_a_line_longer_than_a_block_is_read(
    store: Database, make_result: MakeResult, write: Any, helpers: Helpers
) -> None:
    """By the process itself, and so are those after it."""
    results = [make_result(), make_result(reason="long" * 10_000), make_result()]
    assert add(store, write(results), helpers).stored == 3


def test_an_answer_that_nobody_took_is_not_that_to_the_next_question() -> None:
    """As after an import that ended early."""
    with closing(Helper("pack")) as packer:
        packer.ask([(b"first", b"")])
        packer.ask([(b"second", b""), (b"third", b"")])
        assert packer.answer() == helper.pack_all([(b"second", b""), (b"third", b"")])


def test_small_files_and_single_cores_start_nobody(
    many: list[Result], write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes take a tenth of a second to start, and a core to run on."""
    path = write(many)
    size = path.stat().st_size
    for large, processors, wanted in ((size + 1, 2, False), (size, 1, False), (size, 2, True)):
        monkeypatch.setattr(helper, "LARGE", large)
        monkeypatch.setattr(helper, "usable_processors", lambda count=processors: count)
        with Helpers() as helpers:
            helpers.start(path)
            assert (helpers.reader is not None) == wanted


def has_ended(process: psutil.Process) -> bool:
    """Return whether a process has ended, whether or not anybody was told."""
    try:
        return bool(process.status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_helpers_end_with_the_process_that_started_them(
    number: int, tmp_path: Path, many: list[Result], write: Any
) -> None:
    """However that ends, while one of them waits and the other has an answer; nothing is stored."""
    store = create_store(str(tmp_path / "results.db"))
    command = [sys.executable, "-c", STOPPING, str(store.path), str(write(many))]
    with Popen(command, stdout=PIPE, stderr=PIPE, text=True) as process:
        assert process.stdout is not None
        helpers = [psutil.Process(int(pid)) for pid in process.stdout.readline().split()]
        assert all(one.is_running() for one in helpers)
        os.kill(process.pid, number)
        try:
            _, stderr = process.communicate(timeout=120)
        finally:
            process.kill()
    assert "Traceback" not in stderr
    deadline = time.monotonic() + 120
    while not all(map(has_ended, helpers)):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert lines(store) == []


def test_the_program_of_a_helper_loads_no_database() -> None:
    """Else its start would take longer than what it spares."""
    script = f"import sys, {helper.__name__}; print('sqlalchemy' in sys.modules)"
    with Popen([sys.executable, "-c", script], stdout=PIPE, text=True) as process:
        assert process.communicate()[0] == "False\n"
