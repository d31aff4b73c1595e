"""The page that benchmarks/accuracy.py writes, from findings made up here."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
CIRCUMSTANCES = {
    "began": "2026-11-21 12:00+00:00",
    "seconds": 3.2,
    "slow_before": 0.03,
    "slow_after": 0.4,
    "quick": False,
    "machine": "a quiet one",
    "software": "opperf 0.1.0",
}


@pytest.fixture
def experiments(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return the modules that hold findings and write the page, imported as the command does."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield {name: import_module(f"experiments.{name}") for name in ("finding", "page")}
    for name in [name for name in sys.modules if name.partition(".")[0] == "experiments"]:
        del sys.modules[name]


def make(experiments: Any, met: bool | None, **fields: Any) -> Any:
    """Return a finding with one figure and one table."""
    finding = experiments["finding"]
    figure = finding.Figure(what="error", figure="7 %", target="<= 2 %", met=met)
    table = finding.Table(caption="Errors", headers=("case", "error"), rows=[["add", "7 %"]])
    given = {"name": "E0", "title": "Trial", "method": "Tried.", "circumstances": CIRCUMSTANCES}
    return finding.Finding(figures=[figure], tables=[table], **(given | fields))


def test_a_finding_survives_being_saved(experiments: Any, tmp_path: Path) -> None:
    """An interrupted run goes on with what it had found."""
    finding, path = make(experiments, met=True), tmp_path / "deep" / "E0.json"
    experiments["finding"].save(finding, path)
    again = experiments["finding"].load(path)
    write = experiments["page"].page
    assert again.verdict == finding.verdict == "met"
    assert write([again], "command", {}) == write([finding], "command", {})


def test_the_page_says_machine_date_command_and_figures(experiments: Any) -> None:
    """A reader can tell where and how each figure came about."""
    text = experiments["page"].page([make(experiments, met=True)], "python accuracy.py", {})
    for part in ("a quiet one", "2026-11-21", "`python accuracy.py`", "slowed by others 3 %"):
        assert part in text
    assert "| E0 Trial | error | 7 % | <= 2 % | yes |" in text
    assert "| add | 7 % |" in text
    assert "Cause of the miss" not in text


def test_a_miss_is_shown_with_its_cause_and_attempts(experiments: Any) -> None:
    """What is kept by hand outlives the page, which is written anew each time."""
    attempt = {"date": "2026-11-22", "what": "Waited.", "found": "6 %."}
    misses = {"E0": {"cause": "Noise.", "attempts": [attempt]}}
    text = experiments["page"].page([make(experiments, met=False)], "command", misses)
    assert "| E0 Trial | error | 7 % | <= 2 % | **no** |" in text
    assert "Cause of the miss: Noise." in text
    assert "Attempts (1; 3 are asked for):\n\n* 2026-11-22: Waited. Found: 6 %." in text


def test_a_miss_without_a_cause_says_so(experiments: Any) -> None:
    """Nothing is silently left out."""
    text = experiments["page"].page([make(experiments, met=False)], "command", {})
    assert "Cause of the miss: not found yet" in text
    assert "* none recorded yet" in text


def test_what_cannot_be_tried_yet_is_pending(experiments: Any) -> None:
    """It counts neither as met nor as missed."""
    finding = make(experiments, met=None, pending="no such setting")
    text = experiments["page"].page([finding], "command", {})
    assert finding.verdict == "pending"
    assert "| E0 Trial | pending | no such setting |  |  |" in text
    assert "0 of 1 experiments met; pending: E0." in text
    assert "E0 Trial: pending" in experiments["page"].plain(finding)
