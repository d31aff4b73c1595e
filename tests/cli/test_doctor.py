"""The doctor as a user meets it: every figure, advice in plain words, and never a crash."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.environment import collect
from opperf.core.roofline.peaks import Bandwidth, Product
from opperf.core.roofline.peaks_file import load_peaks, store_peaks
from opperf.core.statistics.repeatability import Repeatability
from opperf.doctor.peaks import PeakSearch
from tests.conftest import told

if TYPE_CHECKING:
    from pathlib import Path

KEYS = {"check", "subject", "level", "figure", "value", "unit", "advice"}
NOISE = [
    Repeatability(
        subject="Add 16",
        framework="numpy",
        seconds=1e-6,
        inside=0.004,
        between=0.012,
        apart=0.02,
        sessions=5,
    )
]
FOUND = PeakSearch(
    {(): Bandwidth(device="cpu", threads=1, nbytes=2**20, kind="copy", way="a.copy", rate=5e10)},
    {(): Product(device="cpu", threads=1, dtype="float32", way="a.mm", rate=1e11)},
    ["a.mm: no float16"],
)


@pytest.fixture
def doctor(call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that runs the verb without measuring: noise and peaks are given."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("opperf.cli.verbs.doctor.search_peaks", lambda *_: FOUND)
    monkeypatch.setattr("opperf.doctor.noise.Trial.run", lambda _: NOISE)

    def run(*arguments: str) -> Any:
        return call("doctor", "--budget", "10ms", *arguments)

    return run


def test_a_real_check_up(call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Real: an array of flat objects and nothing else on stdout, with the noise of NumPy."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("FEWEST", "MOST"):  # enough to differ from each other
        monkeypatch.setattr(f"opperf.doctor.noise.{name}", 2)
    run = call("doctor", "--framework", "numpy", "--budget", "1s", "--format", "json")
    assert run.returncode == 0
    rows = json.loads(run.stdout)
    assert all(set(row) == KEYS for row in rows)
    checks = {row["check"] for row in rows}
    assert {"clock", "governor", "boost", "SMT", "throttling", "neighbors", "threads"} <= checks
    assert {"huge pages", "container", "preemption", "noise floor", "peaks"} <= checks
    probes = [row for row in rows if row["check"] == "noise floor" and row["subject"]]
    assert [row["subject"].split()[0] for row in probes] == ["numpy"] * 3
    assert all(row["value"] >= 0 for row in probes)
    smallest = [row["subject"] for row in rows if row["check"] == "smallest change"]
    assert [subject.rpartition(", ")[2] for subject in smallest[:3]] == [
        "6 sessions", "12 sessions", "24 sessions",
    ]  # fmt: skip
    assert len(smallest) == 9
    assert "opperf: noise: numpy, pair of processes 2\n" in run.stderr


def test_the_table_fits_the_terminal(doctor: Any) -> None:
    """At 80 columns, with levels, checks, figures, advice and what the words mean."""
    run = doctor("--peaks")
    assert run.returncode == 0
    lines = run.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    text = run.stdout
    assert re.search("^(ok|warning) +clock  +[0-9]", text, re.MULTILINE)
    assert "Add 16       numpy            1.0    0.4%     1.2%   2.0%  2.5%  1.5%  1.0%" in text
    assert "…" not in text
    assert "1.05 MB     50.0" in text
    assert "float32  100 GFLOP/s" in text
    assert "not measured: a.mm: no float16" in text


def test_peaks_are_kept_for_the_records(doctor: Any, tmp_path: Path) -> None:
    """Under this machine's key; without --peaks it is said when they were measured."""
    assert "never measured here" in doctor().stdout
    run = doctor("--peaks", "--quiet")
    key = str(collect()["machine_key"])
    assert run.stderr == ""
    kept = tmp_path / "cache" / "opperf" / "peaks" / f"{key}.json"
    assert kept.is_file()
    found = load_peaks(key)
    assert found is not None
    assert [item.rate for item in found.products] == [1e11]
    assert "measured 20" in doctor().stdout


def test_peaks_as_rows(doctor: Any) -> None:
    """In JSON each rate is an object like the findings."""
    rows = json.loads(doctor("--peaks", "--format", "json").stdout)
    rates = {row["check"]: row for row in rows if row["unit"] in ("B/s", "FLOP/s")}
    assert rates["bandwidth"]["value"] == 5e10
    assert rates["product"]["subject"] == "a.mm float32 cpu threads=1"
    for form in ("csv", "md"):
        assert "50.0 GB/s" in doctor("--peaks", "--format", form).stdout


def test_a_cache_that_cannot_be_written_is_one_line(doctor: Any, tmp_path: Path) -> None:
    """The figures are printed all the same."""
    tmp_path.joinpath("cache").touch()
    run = doctor("--peaks", "--format", "json")
    assert run.returncode == 0
    rows = {row["check"]: row for row in json.loads(run.stdout)}
    assert rows["bandwidth"]["value"] == 5e10
    (told,) = [r for r in json.loads(run.stdout) if r["figure"].startswith("not kept: ")]
    assert "\n" not in told["figure"]
    assert "XDG_CACHE_HOME" in told["advice"]


def test_nothing_found_is_nothing_kept(doctor: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Older peaks stay where they are."""
    doctor("--peaks")
    nothing = PeakSearch(failures=["numpy on cpu, 1 threads: it does not load"])
    monkeypatch.setattr("opperf.cli.verbs.doctor.search_peaks", lambda *_: nothing)
    assert "none could be measured" in doctor("--peaks").stdout
    assert load_peaks(collect()["machine_key"]) is not None


def test_records_say_how_near_they_came(
    call: Any, opperf: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Real: a run in a child finds what the doctor kept, by the same folder and key."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    store_peaks(FOUND.peaks(str(collect()["machine_key"])))
    run = call("run", "-k", "name=Exp", "--framework", "numpy", "--size", "small", "--runs", "6")
    assert run.returncode == 0
    (record,) = opperf.records()
    assert record["roof"]["rate"] in (5e10, 1e11)
    rates = {"bytes": record["byte_rate"], "flop": record["flop_rate"]}
    found = record["peak_fraction"]
    assert found == pytest.approx(rates[record["roof"]["bound"]] / record["roof"]["rate"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--budget", "soon"), "expected a time"),
        (("--budget", "0s"), "expected a time"),
        (("--framework", "torchh"), "unknown framework 'torchh'"),
        (("--format", "xml"), "unknown value 'xml'"),
        (("--peek",), "did you mean --peaks?"),
    ],
)
def test_bad_input_is_one_line(call: Any, arguments: tuple[str, ...], said: str) -> None:
    """Before anything is measured."""
    run = call("doctor", *arguments)
    assert run.returncode == 2
    assert said in run.stderr
    assert len(told(run.stderr)) == 1
    assert run.stdout == ""
