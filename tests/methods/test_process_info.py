"""process_info.log, and its curves as a PDF."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli.command import command
from opperf.methods.process_info import read_samples
from tests.conftest import told

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KEYS = ["time", "rss", "vms", "cpu_percent"]
SAMPLE = '{"time": 0.0, "rss": 1, "vms": 2, "cpu_percent": 0.0}\n'


def test_samples_lie_beside_the_log(method: Callable[..., Any], folder: Path) -> None:
    """One at least, however short a method is; what the method holds is in them."""
    _, found, err, _ = method("own.Fine.benchmark_holds", "--quiet")
    (path,) = folder.glob("runs/*/output/*/process_info.log")
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    assert all([*entry] == KEYS for entry in entries)
    times = [entry["time"] for entry in entries]
    assert times[0] == 0.0
    assert times == sorted(times)
    assert max(entry["rss"] for entry in entries) >= 100e6
    summary = found["own.Fine.benchmark_holds"]["process_info"]
    assert summary["max_vms"] >= max(entry["vms"] for entry in entries)
    assert summary["max_rss"] >= max(entry["rss"] for entry in entries)
    assert not err
    assert command(["plot", str(path)], None) == 0
    assert path.with_suffix(".pdf").read_bytes()[:4] == b"%PDF"
    assert command(["plot", str(path), "--output-file", "again.pdf"], None) == 0
    assert (folder / "again.pdf").read_bytes()[:4] == b"%PDF"


def test_a_short_method_has_a_sample(method: Callable[..., Any], folder: Path) -> None:
    """Which is taken before it begins; it needs no display, and may be drawn at once."""
    method("own.Fine.benchmark_report", "--plot")
    (path,) = folder.glob("runs/*/output/*/process_info.log")
    assert read_samples(path)
    assert path.with_suffix(".pdf").read_bytes()[:4] == b"%PDF"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no samples"),
        ("{}\n", "line 1: must be JSON with the numbers time, rss, vms, cpu_percent"),
        (SAMPLE + '{"time": NaN, "rss": 1, "vms": 2, "cpu_percent": 0}\n', "line 2: must be"),
        (SAMPLE + "[" * 4000, "line 2: must be"),
        (SAMPLE + "\0" * 5000, "line 2: must be"),
        (None, "cannot read nowhere"),
    ],
)
def test_a_damaged_file_is_one_line(
    text: str | None, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """That names the line."""
    path = "nowhere" if text is None else "process_info.log"
    if text is not None:
        (folder / path).write_text(text)
    assert command(["plot", path], None) == 2
    err = capsys.readouterr().err
    assert said in err
    assert len(told(err)) == 1
    assert not (folder / "process_info.pdf").exists()


@pytest.mark.parametrize("path", ["", ".", ".."])
def test_a_folder_is_refused_in_one_line(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It has no name that a PDF could have beside it."""
    assert command(["plot", path], None) == 2
    assert capsys.readouterr().err.endswith(": Is a directory\n")


def test_only_a_pdf_is_replaced(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever else is there stays."""
    (folder / "process_info.log").write_text(SAMPLE)
    (folder / "own.pdf").write_text("mine")
    assert command(["plot", "process_info.log", "--output-file", "own.pdf"], None) == 2
    assert "own.pdf exists and is no PDF" in capsys.readouterr().err
    assert (folder / "own.pdf").read_text() == "mine"


@pytest.mark.parametrize("words", [["plot", "x.log"], ["method", "own.Fine.x", "--plot"]])
def test_without_matplotlib_one_line_names_the_extra(
    words: list[str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Before anything runs."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert command(words, None) == 2
    assert "pip install 'opperf[plot]'" in capsys.readouterr().err
    assert not (folder / "runs").exists()
