from pathlib import Path

import pytest

from opperf.core.errors import UsageError
from opperf.storing import RunDirectory

DAYS = ("20261119T120000-00000a", "20261120T120000-00000b", "20261121T120000-00000c")


@pytest.fixture
def runs_dir(tmp_path: Path) -> Path:
    """Return a directory of three runs, and of things that are none."""
    runs_dir = tmp_path / "runs"
    for run_id in DAYS:
        make_run(runs_dir, run_id)
    (runs_dir / "20261122T120000-00000d").mkdir()
    (runs_dir / "zebra").mkdir()
    (runs_dir / "zebra" / "run.json").touch()
    (runs_dir / "20261123T120000-00000e").touch()
    return runs_dir


def make_run(runs_dir: Path, run_id: str) -> Path:
    """Make what looks like a run, and return it."""
    path = runs_dir / run_id
    path.mkdir(parents=True)
    (path / "run.json").write_text('{"schema": "opperf.run/1"}')
    return path


@pytest.mark.parametrize(
    ("text", "run_id"),
    [(DAYS[0], DAYS[0]), ("20261120", DAYS[1]), ("2026112", None), ("last", DAYS[2])],
)
def test_a_run_is_found_by_its_id_a_beginning_or_last(
    runs_dir: Path, text: str, run_id: str | None
) -> None:
    """A beginning must be that of one run only; what is no run is not looked at."""
    if run_id is not None:
        assert RunDirectory.find(runs_dir, text).path == runs_dir / run_id
        return
    with pytest.raises(UsageError) as caught:
        RunDirectory.find(runs_dir, text)
    expected = f"run '2026112' could be {DAYS[2]}, {DAYS[1]} in {runs_dir}; give more of the id"
    assert str(caught.value) == expected


def test_a_run_is_found_by_a_path(
    runs_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of its directory, or of a results file, which need not belong to a run."""
    loose = tmp_path / "downloaded.jsonl"
    loose.touch()
    assert RunDirectory.find(runs_dir, str(loose)).results_path == loose
    directory = make_run(tmp_path, "renamed")
    assert RunDirectory.find(runs_dir, str(directory)).results_path == directory / "results.jsonl"
    monkeypatch.chdir(directory)
    assert RunDirectory.find(runs_dir, ".").run_id == "renamed"


def test_an_id_comes_before_a_path(
    runs_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that happens to be called `last` is meant by ./last."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "last").touch()
    assert RunDirectory.find(runs_dir, "last").run_id == DAYS[2]
    assert RunDirectory.find(runs_dir, "./last").results_path == Path("last")


def test_a_directory_without_results_is_no_run(runs_dir: Path) -> None:
    """It says what a run directory holds."""
    with pytest.raises(UsageError, match=r"is no run directory: it holds no run\.json or results"):
        RunDirectory.find(runs_dir, str(runs_dir))


def test_an_unknown_run_suggests_the_nearest(runs_dir: Path) -> None:
    """With the newest that there are."""
    with pytest.raises(UsageError) as caught:
        RunDirectory.find(runs_dir, "20261120T120000-00000f")
    message = str(caught.value)
    assert message.startswith(
        "unknown run '20261120T120000-00000f'; did you mean '20261120T120000-"
    )
    assert message.endswith(f"{', '.join(reversed(DAYS))}, last or a path")


def test_of_many_runs_the_newest_five_are_listed(tmp_path: Path) -> None:
    """And how many more there are."""
    for day in range(10, 30):
        make_run(tmp_path, f"202611{day}T120000-000000")
    with pytest.raises(UsageError) as caught:
        RunDirectory.find(tmp_path, "none")
    assert "20261129T120000-000000, " in str(caught.value)
    assert "20261125T120000-000000 (and 15 older), last" in str(caught.value)
    with pytest.raises(UsageError, match=r"could be .*20261125T120000-000000 \(and 15 older\) in"):
        RunDirectory.find(tmp_path, "2026")


@pytest.mark.parametrize(
    "text", ["../x", "/", "", "..", "a\0b", "x" * 5000, "*", "\udc80", "[0-9]*"]
)
def test_a_text_that_is_no_run_leads_nowhere_else(runs_dir: Path, text: str) -> None:
    """Paths out of the directory, patterns and what no file can be called are refused."""
    with pytest.raises(UsageError, match=r"unknown run|is no run directory"):
        RunDirectory.find(runs_dir, text)


def test_without_any_run_the_error_says_how_to_make_one(tmp_path: Path) -> None:
    """A missing directory is one without runs."""
    with pytest.raises(UsageError, match=r"there are no runs in .*/none: `opperf run` first"):
        RunDirectory.find(tmp_path / "none", "last")


def test_a_file_in_place_of_the_runs_is_named(tmp_path: Path) -> None:
    """It is not taken for an empty directory."""
    (tmp_path / "runs").touch()
    with pytest.raises(UsageError, match=r"cannot read runs directory .*: Not a directory"):
        RunDirectory.find(tmp_path / "runs", "last")
