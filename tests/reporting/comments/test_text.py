"""What a comment says: first what needs attention, within the room, and nothing that escapes."""

from __future__ import annotations

import re

import pytest

from opperf.core.errors import UsageError
from opperf.reporting.comments.text import ROOM, comment_of, marker_of
from opperf.reporting.comments.thread import Thread
from opperf.reporting.comparison import ComparisonReport
from opperf.reporting.subjects import Run
from opperf.reporting.verdicts import Verdict

MARKER = marker_of("opperf")
THREAD = Thread(
    title="pull request 7", api="https://api.test", path="/p", comment="/c", method="PATCH",
    author=("user", "login"), permission="p", commit="a" * 40, job="https://github.test/runs/42",
)  # fmt: skip
HOSTILE = (
    "@everyone", "a|b", "<script>", "</details>", "\n/close", "`x`", "<!-- -->", "https://x",
    "o/r#7",
)  # fmt: skip


def verdict(operator: str, found: str = "equivalent", ratio: float = 1.0) -> Verdict:
    """Return a verdict on an operator."""
    return Verdict(
        operator=operator, framework="numpy", direction="forward", verdict=found, ratio=ratio,
        interval=(ratio * 0.99, ratio * 1.01), a_seconds=1e-6, b_seconds=ratio * 1e-6,
        confirmed=found == "slower",
    )  # fmt: skip


def compared(
    *verdicts: Verdict, names: tuple[str, str] = ("a/base/bin/python", "/t/head/bin/python3.11")
) -> str:
    """Return the comment on a comparison."""
    report = ComparisonReport(verdicts=verdicts, min_effect=0.02, names=names, interleaved=True)
    return comment_of(report, MARKER, THREAD)


def test_what_needs_attention_comes_first_and_the_rest_is_folded() -> None:
    """The arms are called by their environments, and the job is linked to."""
    text = compared(verdict("Add"), verdict("Exp", "slower", 1.2), verdict("Sum", "faster", 0.8))
    assert text.startswith(f"{MARKER}## opperf: head (B) against base (A)\n\n1 slower, 1 faster")
    shown, folded = text.split("<details>")
    assert [name in shown for name in ("| Exp", "| Sum", "| Add")] == [True, True, False]
    assert [name in folded for name in ("| Exp", "| Sum", "| Add")] == [True, True, True]
    assert text.endswith(
        "</details>\n\nMeasured at aaaaaaaaaaaa by [this job](https://github.test/runs/42), whose "
        "artifacts have the rest.\n"
    )


def test_nothing_is_folded_where_all_needs_attention() -> None:
    """It would be there twice."""
    text = compared(verdict("Exp", "slower", 1.2))
    assert "<details>" not in text
    assert text.count("| Exp") == 1


def test_a_comment_of_a_run() -> None:
    """Without arms, as of a job that measures the head alone."""
    text = comment_of(Run(name="last", results=[]), MARKER, THREAD)
    assert text.startswith(f"{MARKER}## opperf: run last\n")
    assert "[this job]" in text


@pytest.mark.parametrize("found", ["slower", "equivalent"])
def test_thousands_of_rows_leave_a_comment_that_is_taken(found: str) -> None:
    """GitHub refuses what is larger as a whole."""
    rows = [verdict(f"Operator{number}{'x' * 200}", found, 1.1) for number in range(3000)]
    text = compared(*rows)
    assert len(text.encode()) <= ROOM
    assert len(text.encode()) > ROOM * 0.95
    assert "rows are left out for want of room" in text
    assert text.count("<details>") == text.count("</details>")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_do_nothing(text: str) -> None:
    """No mention, no markup, no new column, and no line that GitLab takes for a command."""
    comment = compared(
        verdict(text, "slower", 1.2), verdict("Add"), names=(text, f"{text}/bin/python")
    )
    lines = comment.removeprefix(MARKER).splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1
    assert not [line for line in lines if line.lstrip().startswith("/")]
    assert not re.search(r"@\w|<script|https?://x|#\d", comment)
    assert comment.count("</details>") == 1


@pytest.mark.parametrize("name", ["", "-x", "a b", "a\n", "-->", "x" * 65, "ö"])
def test_what_is_no_name(name: str) -> None:
    """It would end the hidden line."""
    with pytest.raises(UsageError, match=r"--comment .*must be 1 to 64 letters"):
        marker_of(name)
