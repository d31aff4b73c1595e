"""JUnit XML of runs and of comparisons."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from opperf.reporting.comparison import ComparisonReport
from opperf.reporting.foreign.junit import write_comparison_junit, write_run_junit
from opperf.reporting.subjects import Run
from opperf.reporting.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.results.result import Result

    Make = Callable[..., Result]

ROW: dict[str, Any] = {"framework": "mxnet", "direction": "forward"}


def written(results: Sequence[Result], name: str = "run") -> ET.Element:
    """Return the document of a run."""
    stream = io.StringIO()
    write_run_junit(Run(name=name, results=results), stream)
    return ET.fromstring(stream.getvalue())  # noqa: S314 - our own


def test_a_suite_a_framework(make: Make) -> None:
    """With its counts; what failed has its reason and command, what is unsupported is skipped."""
    root = written(
        [
            make(),
            make(name="Bad", status="crashed", signal="SIGSEGV", reason="gone"),
            make(framework="pytorch", status="unsupported", reason="no such operator"),
        ]
    )
    suites = {suite.get("name"): suite for suite in root}
    assert {name: suite.get("tests") for name, suite in suites.items()} == {
        "mxnet": "2", "pytorch": "1",
    }  # fmt: skip
    assert suites["mxnet"].get("failures") == "1"
    assert suites["pytorch"].get("skipped") == "1"
    (failure,) = root.iter("failure")
    assert failure.get("message") == "crashed SIGSEGV"
    assert failure.text is not None
    assert "opperf run -k 'name=Bad" in failure.text
    assert suites["mxnet"][0].get("time") == "0.031200000"
    assert suites["pytorch"][0].get("time") is None


def test_hostile_names_are_text(make: Make, hostile: str) -> None:
    """The document can be parsed, whatever the names hold, and shows them."""
    (case,) = written([make(name=hostile, status="failed", reason=hostile)], hostile).iter(
        "testcase"
    )
    assert "<img src=x" in (case.get("name") or "")
    assert "\x1b" not in ET.tostring(case, encoding="unicode")


def test_regressions_fail() -> None:
    """A slower row only once it is confirmed; what is left open is skipped; a control is."""
    rows = [
        Verdict(operator="a", verdict="slower", ratio=1.1, confirmed=True, **ROW),
        Verdict(operator="b", verdict="slower", ratio=1.1, confirmed=False, **ROW),
        Verdict(operator="c", verdict="newly_fails", reason="SIGSEGV", **ROW),
        Verdict(operator="d", verdict="undecided", ratio=1.02, **ROW),
        Verdict(operator="e", verdict="faster", ratio=0.8, b_seconds=2e-6, **ROW),
        Verdict(operator="f", verdict="slower", ratio=1.1, confirmed=True, control=True, **ROW),
        Verdict(operator="g", verdict="fails", reason="in both arms", **ROW),
    ]
    stream = io.StringIO()
    write_comparison_junit(ComparisonReport(verdicts=rows, min_effect=0.02), stream)
    root = ET.fromstring(stream.getvalue())  # noqa: S314 - our own
    found = {
        case.get("name", "").split()[0]: [child.tag for child in case]
        for case in root.iter("testcase")
    }
    assert found == {
        "a": ["failure"], "b": [], "c": ["failure"], "d": ["skipped"], "e": [], "f": ["skipped"],
        "g": ["skipped"],
    }  # fmt: skip
