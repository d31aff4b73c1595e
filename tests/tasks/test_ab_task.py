"""`opperf ab --task`: fresh runs of both arms in turns, judged as any comparison."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

WriteSection = Callable[..., None]
SHELL = {"shell": "yes", "better": "['more']"}
FEW = ("--sessions", "6", "--most-sessions", "6", "--format", "json")


def test_a_metric_of_the_log(section: WriteSection, place: Path, opperf: Any) -> None:
    """Arms differ by a variable that the command prints; runs alternate, and none is left out."""
    section("echo $V >> order; echo v=$V", **SHELL)
    arms = ("--a", "V=1", "--b", "V=2")
    found = opperf.run("ab", "--task", "t", *arms, "--metric", "v", *FEW)
    assert found.returncode == 0, found.stderr
    (row,) = [row for row in json.loads(found.stdout) if not row.get("control")]
    assert (row["operator"], row["verdict"], row["ratio"]) == ("t", "better", 2.0)
    pairs = [pair for pair in opperf.records() if pair["purpose"] == "comparison"]
    assert [pair["metric"]["a"] + pair["metric"]["b"] for pair in pairs] == [[1.0, 2.0]] * 6
    order = (place / "order").read_text().split()
    controls = len(opperf.records()) - len(pairs)
    assert (order.count("1"), order.count("2")) == (6 + 2 * controls, 6)
    shown = opperf.run("show", "last", "--format", "json")
    assert json.loads(shown.stdout) == json.loads(found.stdout)
    assert opperf.run("report", "last", "--html", "page.html").returncode == 0
    worse = opperf.run("ab", "--task", "t", *reversed_arms(arms), "--metric", "v", *FEW)
    assert worse.returncode == 10


def reversed_arms(arms: tuple[str, ...]) -> tuple[str, ...]:
    """Return the arms with A and B exchanged."""
    return (arms[0], arms[3], arms[2], arms[1])


def test_times_and_a_failure(section: WriteSection, place: Path, opperf: Any) -> None:
    """Pairs of times have a ratio; an arm that fails is said, its log is kept."""
    section('test "$V" != 3 && echo v=1', **SHELL)
    found = opperf.run("ab", "--task", "t", "--a", "V=1", "--b", "V=2", *FEW)
    assert found.returncode in {0, 10}, found.stderr
    pairs = opperf.records()
    assert all(pair["b_seconds"] > 0 and pair["ratio"] is not None for pair in pairs)
    assert not [*place.glob("runs/*/logs/*")]
    found = opperf.run("ab", "--task", "t", "--a", "V=1", "--b", "V=3", *FEW)
    assert found.returncode == 10
    assert "newly_fails" in found.stdout
    assert "arm b: it ended with status 1" in found.stdout
    assert [*place.glob("runs/*/logs/*-b.log")]


def test_an_interrupted_comparison_goes_on(section: WriteSection, opperf: Any) -> None:
    """By its manifest, which has the section."""
    section("echo v=$V", **SHELL)
    arms = ("--a", "V=1", "--b", "V=2")
    begun = opperf.run("ab", "--task", "t", *arms, "--metric", "v", *FEW, "--budget", "1ms")
    assert begun.returncode in {0, 12}, begun.stderr
    before = len(opperf.records())
    (run,) = opperf.runs()
    manifest = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(manifest | {"budget": None}))
    found = opperf.run("resume", "last")
    assert found.returncode == 0, found.stderr
    assert len(opperf.records()) > before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--metric", "rss_pek"], "unknown metric 'rss_pek'; did you mean 'rss_peak'?"),
        (["-k", "name=Add"], "-k: is of operators; leave it out beside --task"),
        (["--dtype", "float64"], "--dtype: is of operators"),
        (["--devices", "0"], "--devices goes with --spec"),
        (["--trust-model"], "--trust-model goes with --spec"),
        (["--num-gpus", "9999"], "--num-gpus 9999: must be"),
    ],
)
def test_wrong_arguments(
    arguments: list[str], message: str, section: WriteSection, opperf: Any
) -> None:
    """One line, and nothing is started."""
    section("echo v=1")
    found = opperf.run("ab", "--task", "t", "--a", "V=1", "--b", "V=2", *arguments)
    assert found.returncode == 2
    assert message in found.stderr
    assert not opperf.runs()
