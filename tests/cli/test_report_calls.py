"""`opperf report` and `opperf list --times` of runs of a network's calls."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.reporting.conftest import HOSTILE
from tests.reporting.networks import Timed, network, results_of, write_run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import CompletedProcess

    Call = Callable[..., CompletedProcess[str]]

pytest.importorskip("torch")

LOG = """\
Operator: aten.mm.default
cnt: 6, ((T([8, 16], f32), T([16, 4], f32)), {})
Operator: aten.relu.default
cnt: 2, ((T([8, 4], f32),), {})
Operator: aten.nobody_has.default
cnt: 1, ((T([2], f32),), {})
"""
OTHER = """\
Operator: aten.add.Tensor
cnt: 3, ((T([4, 4], f32), T([4, 4], f32)), {})
"""
DATA = re.compile(r'<script id="report" type="application/json">(.*?)</script>', re.DOTALL)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with runs of two networks, measured in a few samples, and their logs."""
    from opperf.__main__ import main

    folder = tmp_path_factory.mktemp("networks")
    for name, text in (("toy", LOG), ("other", OTHER)):
        log = folder / f"{name}.txt"
        log.write_text(text)
        flags = ["--runs", "6", "--retry", "no", "--quiet", "--runs-dir", str(folder / name)]
        page = ["--output-file", str(folder / f"{name}.html"), "--output-format", "html"]
        assert main(["run", "--calls", str(log), *flags, *page]) == 0
    return folder


def run_of(runs: Path, name: str) -> str:
    """Return the folder of a network's run."""
    (directory,) = (runs / name).iterdir()
    return str(directory)


def networks(page: Path) -> list[dict[str, Any]]:
    """Return the networks of a page."""
    (block,) = DATA.findall(page.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = json.loads(block)["networks"]
    return found


def test_the_page_of_a_run_of_calls(call: Call, runs: Path, tmp_path: Path) -> None:
    """It has the network's view, as the page that the run itself wrote."""
    page = tmp_path / "toy.html"
    found = call("report", run_of(runs, "toy"), "--html", str(page))
    assert (found.returncode, found.stdout) == (0, "")
    (view,) = networks(page)
    assert view["title"].startswith("toy, pytorch cpu, ")
    assert sorted(view["calls"]["numbers"]["count"]) == [1, 2, 6]
    assert view["calls"]["texts"]["status"][0][-1] == "unsupported"
    (written,) = networks(runs / "toy.html")
    assert written == view | {"run": written["run"]}


def test_a_filter_takes_the_names_of_calls(call: Call, runs: Path, tmp_path: Path) -> None:
    """And what it leaves out stands in the view as not measured."""
    page = tmp_path / "toy.html"
    flags = ["-k", "name=aten.mm.default", "--html", str(page)]
    found = call("report", run_of(runs, "toy"), *flags)
    assert found.returncode == 0, found.stderr
    (view,) = networks(page)
    assert view["calls"]["texts"]["status"][0][-1] == "not measured"


def test_two_networks_without_a_call_in_common(call: Call, runs: Path, tmp_path: Path) -> None:
    """One page, a view each."""
    page = tmp_path / "both.html"
    found = call("report", run_of(runs, "toy"), run_of(runs, "other"), "--html", str(page))
    assert found.returncode == 0, found.stderr
    assert [view["title"].partition(",")[0] for view in networks(page)] == ["toy", "other"]


def test_two_runs_of_one_network_are_compared(call: Call, runs: Path, tmp_path: Path) -> None:
    """The verdicts stand beside the views of both."""
    page = tmp_path / "both.html"
    found = call("report", run_of(runs, "toy"), run_of(runs, "toy"), "--html", str(page))
    assert found.returncode == 0, found.stderr
    assert len(networks(page)) == 2
    assert '"verdicts":' in page.read_text(encoding="utf-8")


def test_the_list_says_the_share_of_the_time(call: Call, runs: Path) -> None:
    """Of the calls that a run has measured; what it has not is counted by calls alone."""
    words = ("list", "--calls", str(runs / "toy.txt"), str(runs / "other.txt"), "--times")
    found = call(*words, run_of(runs, "toy"), "--format", "json")
    rows = {row["operator"]: row for row in json.loads(found.stdout)}
    assert rows["aten.mm.default"]["timed"] == 6
    assert rows["aten.mm.default"]["seconds"] > 0
    assert (rows["aten.add.Tensor"]["timed"], rows["aten.add.Tensor"]["seconds"]) == (0, None)
    assert sum(row["time_share"] or 0 for row in rows.values()) == pytest.approx(1)
    assert "toy: 8 of 9 calls have a time (pytorch, cpu, " in found.stderr
    assert "other: none of its 3 calls has a time in these runs" in found.stderr
    both = call(*words, run_of(runs, "toy"), run_of(runs, "other"))
    assert re.search(r"(?m)^aten.add.Tensor .* [\d.]+ +[\d.]+% ", both.stdout)
    assert re.search(
        r"^ +[\d.]+% 100.00% of operators that are declared$", both.stdout, re.MULTILINE
    )
    assert "other: 3 of 3 calls have a time (pytorch, cpu, " in both.stdout


def test_times_that_there_are_not(call: Call, runs: Path) -> None:
    """One line, that says how there would be some."""
    toy, other = str(runs / "toy.txt"), run_of(runs, "other")
    found = call("list", "--calls", toy, "--times", other)
    assert (found.returncode, found.stdout) == (2, "")
    assert "no call of these files has a time there; measure them: opperf run" in found.stderr
    found = call("list", "--times", other)
    assert "--times is of a network's calls: give --calls FILE" in found.stderr
    found = call("list", "--calls", toy, "--times", "nobody")
    assert "unknown run 'nobody'" in found.stderr
    small = ("-k", "name=Exp", "--framework", "numpy", "--size", "small", "--runs", "6")
    assert call("run", *small, "--quiet").returncode == 0
    found = call("list", "--calls", toy, "--times", "last")
    assert "--times last: is no run of a network's calls (opperf run --calls)" in found.stderr


def test_a_strangers_names_obey_no_terminal(call: Call, tmp_path: Path) -> None:
    """A network and its modules are named by a calls file, and shown below and in a ranking."""
    place = {"module": HOSTILE, "phase": "forward", "count": 1}
    found = network([Timed(places=[place])], network=HOSTILE)
    run = write_run(tmp_path / "runs", found.record, results_of(found))
    for flags in ((), ("--by", "module"), ("--by", "module", "--format", "md")):
        shown = call("show", str(run.path), *flags)
        assert shown.returncode == 0, shown.stderr
        assert "</script>" in shown.stdout
        assert not {"\x1b", "\u202e"} & {*shown.stdout, *shown.stderr}
