"""JUnit XML, which every CI server shows: a test case a row, its time the time of a call.

There is no one specification; this is what Jenkins' junit plug-in and GitLab read: `testsuites`,
`testsuite`, `testcase` with `failure`, `error` or `skipped` within.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from opperf.core.results.status import TIMED, TROUBLE
from opperf.reporting.reproduction import command
from opperf.reporting.text import clean, shorten
from opperf.reporting.wording import direction_text, given_text, operator_text, status_text

if TYPE_CHECKING:
    from typing import TextIO

    from opperf.reporting.comparison import ComparisonReport
    from opperf.reporting.subjects import Run
    from opperf.reporting.verdicts import Verdict

LONGEST = 1000
OPEN = ("noisy", "undecided", "no_value", "fails")
"""Verdicts that say neither yes nor no."""


def write_run_junit(run: Run, stream: TextIO) -> None:
    """Write a suite a framework; failures carry their reason and the command that reproduces it."""
    root = Element("testsuites", name=clean(f"opperf {run.name}"))
    for result in run.results:
        suite = suite_of(root, clean(result.operator.framework))
        title = f"{operator_text(result)} {direction_text(result.operator.direction)}"
        case = SubElement(
            suite,
            "testcase",
            classname=clean(f"{result.operator.framework}.{result.operator.category}"),
            name=shorten(f"{title} {given_text(result)}", LONGEST),
        )
        if result.seconds is not None:
            case.set("time", f"{max(result.seconds, 0):.9f}")
        if result.status in TROUBLE:
            tell(case, "failure", status_text(result), f"{result.reason or ''}\n{command(result)}")
        elif result.status not in TIMED:
            tell(case, "skipped", f"{status_text(result)}: {result.reason or ''}", "")
    finish(root, stream)


def write_comparison_junit(comparison: ComparisonReport, stream: TextIO) -> None:
    """Write a suite a framework; regressions fail, and what is left open is skipped."""
    root = Element("testsuites", name=clean(f"opperf {comparison.title}"))
    for row in comparison.verdicts:
        suite = suite_of(root, clean(row.framework))
        arm = f"{row.arm}: " if row.arm else ""
        title = f"{arm}{row.operator} {row.direction} {row.inputs or row.size or ''}"
        case = SubElement(
            suite, "testcase", classname=clean(row.framework), name=shorten(clean(title), LONGEST)
        )
        if row.b_seconds is not None:
            case.set("time", f"{row.b_seconds:.9f}")
        if row.holds_back:
            tell(case, "failure", verdict_text(row), row.reason or "")
        elif row.verdict in OPEN or row.control:
            tell(case, "skipped", "control" if row.control else verdict_text(row), "")
    finish(root, stream)


def verdict_text(row: Verdict) -> str:
    """Return "slower, 1.143 [1.131, 1.155]"."""
    ends = f" [{row.interval[0]:.3f}, {row.interval[1]:.3f}]" if row.interval else ""
    ratio = f", {row.ratio:.3f}{ends}" if row.ratio else ""
    return f"{row.verdict}{ratio}"


def suite_of(root: Element, name: str) -> Element:
    """Return the suite of that name, made where it is the first of its cases."""
    found = next((suite for suite in root if suite.get("name") == name), None)
    return SubElement(root, "testsuite", name=name) if found is None else found


def tell(case: Element, kind: str, message: str, text: str) -> None:
    """Put a failure or a skip into a case, without characters that XML has no place for."""
    told = SubElement(case, kind, message=shorten(clean(message), LONGEST))
    told.text = "\n".join(shorten(clean(line), LONGEST) for line in text.splitlines()) or None


def finish(root: Element, stream: TextIO) -> None:
    """Count what the suites hold, and write them."""
    for suite in root:
        suite.set("tests", str(len(suite)))
        for kind, plural in (("failure", "failures"), ("skipped", "skipped")):
            suite.set(plural, str(sum(case.find(kind) is not None for case in suite)))
    indent(root)
    ElementTree(root).write(stream, encoding="unicode", xml_declaration=True)
    stream.write("\n")
