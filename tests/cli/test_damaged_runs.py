"""Runs whose files were cut off, edited or made by another version."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli.running import conduct
from tests.conftest import told

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RUN_ID = "20261121T031502-7f3a9c"
SMALL = ("-k", "name in (Exp, Sum)", "--framework", "numpy", "--size", "small", "--runs", "6")


@pytest.fixture(scope="module")
def original(command_line: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run of two rows."""
    opperf = command_line(tmp_path_factory.mktemp("original"))
    run = opperf.run("run", *SMALL)
    assert run.returncode == 0, run.stderr
    (folder,) = opperf.runs()
    return folder  # type: ignore[no-any-return]


@pytest.fixture
def copy(original: Path, tmp_path: Path) -> Path:
    """Return a copy of that run, where commands look for it."""
    folder = tmp_path / "runs" / RUN_ID
    folder.mkdir(parents=True)
    for path in original.glob("*.json*"):
        folder.joinpath(path.name).write_bytes(path.read_bytes())
    return folder


def edit(**changes: Any) -> Callable[[bytes], bytes]:
    """Return what changes fields of a document."""
    return lambda line: json.dumps(json.loads(line) | changes).encode() + b"\n"


DAMAGE = {
    "garbage": (lambda _: b"}{ not JSON\n", "line 1: not JSON"),
    "an unknown version": (
        edit(schema="opperf.result/99"),
        "line 1: unknown record version 'opperf.result/99'; this opperf reads opperf.result/1, ",
    ),
    "NaN": (edit(flop_rate=float("nan")), "line 1: NaN is not a number"),
    "infinity": (edit(flop_rate=float("inf")), "line 1: Infinity is not a number"),
    "8 MiB": (edit(reason="x" * 2**23), "line 1: longer than 8 MiB"),
    "a missing field": (lambda _: b'{"schema":"opperf.result/5"}\n', "line 1: the record lacks "),
    "another type": (edit(tags="none"), "line 1: field 'tags' must be array, not 'none'"),
}


@pytest.mark.parametrize("words", [("resume", RUN_ID), ("import", RUN_ID, "--store", "a.db")])
@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_journal_is_not_gone_on_with(
    call: Any, copy: Path, words: tuple[str, ...], what: str
) -> None:
    """Nor stored: the line of the file is named, and the file stays as it is."""
    call("db", "init", "--store", "a.db")
    damage, message = DAMAGE[what]
    journal = copy / "results.jsonl"
    first, rest = journal.read_bytes().split(b"\n", 1)
    journal.write_bytes(damage(first) + rest)
    before = journal.read_bytes()
    run = call(*words)
    assert run.returncode == 2
    (line,) = told(run.stderr)
    assert message in line
    assert "results.jsonl" in line
    assert journal.read_bytes() == before


@pytest.mark.parametrize("what", sorted(DAMAGE.keys() - {"8 MiB"}))
def test_what_is_not_damaged_is_shown(call: Any, copy: Path, what: str) -> None:
    """With a line that names the damage and counts it."""
    damage, message = DAMAGE[what]
    journal = copy / "results.jsonl"
    first, rest = journal.read_bytes().split(b"\n", 1)
    journal.write_bytes(damage(first) + rest)
    run = call("show", RUN_ID, "--format", "csv")
    assert run.returncode == 0
    (line,) = told(run.stderr)
    assert message in line
    assert "damaged results left out: 1" in line
    assert ("Exp" in run.stdout, "Sum" in run.stdout) == (False, True)


def test_a_torn_last_line_is_left_out_with_a_warning(call: Any, copy: Path) -> None:
    """What kill -9 leaves behind is no damage: the rest is shown."""
    journal = copy / "results.jsonl"
    journal.write_bytes(journal.read_bytes()[:-20])
    run = call("show", "last", "--format", "json")
    assert run.returncode == 0
    assert "line 2: no newline at its end; this torn last line is left out" in run.stderr
    assert len(json.loads(run.stdout)) == 1


def test_a_torn_last_line_is_measured_again(call: Any, copy: Path) -> None:
    """Resuming cuts it off, and completes the run."""
    journal = copy / "results.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-20])
    assert call("resume", "last").returncode == 0
    lines = journal.read_bytes().splitlines()
    assert lines[0] == whole.splitlines()[0]
    names = [json.loads(line)["operator"]["name"] for line in lines]
    assert names == ["Exp", "Sum"]


MANIFESTS = {
    "garbage": (lambda _: b"}{", "run.json: not JSON"),
    "an unknown version": (edit(schema="opperf.run/99"), "unknown run version 'opperf.run/99'"),
    "no selection": (
        lambda line: line.replace(b'"selection"', b'"choice"'),
        "run.json: field 'selection' is missing",
    ),
    "a selection of nothing": (edit(selection=None), "field 'selection' must be object, not null"),
    "a selection of everything": (
        lambda line: line.replace(b'"text"', b'"txet"'),
        "field 'selection.txet' is unknown",
    ),
    "an unknown framework": (
        lambda line: line.replace(b'"numpy"', b'"nmpy"', 1),
        "unknown framework 'nmpy'; did you mean 'numpy'?",
    ),
    "a limit that lacks": (edit(limits={"timeout": 5}), "'limits.compile_timeout' is missing"),
    "a time that is text": (
        lambda line: line.replace(b'"timeout": ', b'"timeout": "x", "was": '),
        "field 'limits.timeout' must be float, not 'x'",
    ),
    "a setting that is none": (
        lambda line: line.replace(b'"seed"', b'"sead"'),
        "field 'selection.settings.sead' is unknown",
    ),
    "variables that are none": (edit(variables=[1]), "field 'variables' must be object, not [1]"),
    "packages that are none": (edit(packages="ab"), "field 'packages' must be object, not 'ab'"),
    "another version of a framework": (
        edit(packages={"numpy": "0.1"}),
        "was made with numpy 0.1, here is",
    ),
}


@pytest.mark.parametrize("what", MANIFESTS)
def test_a_run_with_a_damaged_manifest_is_not_resumed(call: Any, copy: Path, what: str) -> None:
    """One line says what is wrong; the results stay and can be shown."""
    damage, message = MANIFESTS[what]
    manifest, journal = copy / "run.json", copy / "results.jsonl"
    manifest.write_bytes(damage(manifest.read_bytes()))
    results = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(results[0])
    run = call("resume", RUN_ID)
    assert run.returncode == 2
    (line,) = told(run.stderr)
    assert message in line
    assert journal.read_bytes() == results[0]
    assert call("show", RUN_ID).returncode == 0


def test_a_run_is_found_by_what_begins_its_name(call: Any, copy: Path) -> None:
    """By its id, the beginning of it, its folder, its results file, or as the last one."""
    names = (RUN_ID, RUN_ID[:6], str(copy), str(copy / "results.jsonl"), "last")
    shown = {call("show", name, "--format", "csv").stdout for name in names}
    assert len(shown) == 1
    assert "Exp" in shown.pop()


def test_what_is_shown_can_be_chosen(call: Any, copy: Path) -> None:
    """By the fields of a result, its status included; nothing left is exit 12."""
    assert copy.is_dir()
    run = call("show", "-k", "name=Sum and status in (ok, noisy)", "--format", "json")
    assert [row["operator"] for row in json.loads(run.stdout)] == ["Sum"]
    assert call("show", "-k", "status=crashed").returncode == 12


def test_a_runs_folder_that_is_removed_meanwhile_ends_the_run_in_a_line(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says which file is gone; afterwards there are no runs."""
    measure = conduct.carry_out

    def measure_and_remove(*arguments: Any) -> Any:
        found = measure(*arguments)
        shutil.rmtree(tmp_path / "runs")
        return found

    monkeypatch.setattr(conduct, "carry_out", measure_and_remove)
    run = call("run", *SMALL, "--quiet")
    assert run.returncode == 1
    (line,) = told(run.stderr)
    assert "results.jsonl: it was removed since this run opened it" in line
    assert "there are no runs in runs: `opperf run` first" in call("show").stderr
