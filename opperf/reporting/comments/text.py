"""A comment on a change: what got worse or better, the rest folded, and where it comes from."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote
from opperf.reporting.subjects import Run
from opperf.reporting.summary import comparison_head, run_summary, size, verdict_tables

if TYPE_CHECKING:
    from opperf.reporting.comments.thread import Thread
    from opperf.reporting.comparison import ComparisonReport

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
ROOM = 60_000
"""Bytes of a comment; GitHub takes 65,536 characters, GitLab a million, which nobody reads."""
FOLD, FOLD_END = "\n<details><summary>All rows</summary>\n", "\n</details>\n"
ENVIRONMENT = re.compile(r"(?:.*/)?([^/\s]+)/bin/python[0-9.]*")
"""The interpreter of a virtual environment, which is called by its folder."""
CALM = ("equivalent", "unsupported", "skipped")
"""Verdicts that need no attention."""


def marker_of(name: str) -> str:
    """Return the hidden line by which a comment of this name is found again.

    Raises:
        UsageError: the name has other characters than letters, digits, `.`, `_` and `-`.
    """
    if not NAME.fullmatch(name):
        raise UsageError(
            f"--comment {quote(name)}: must be 1 to 64 letters, digits, '.', '_' and '-', with a "
            "letter or digit first"
        )
    return f"<!-- opperf comment {name} -->\n"


def comment_of(subject: Run | ComparisonReport, marker: str, thread: Thread) -> str:
    """Return a comment in Markdown, of at most `ROOM` bytes."""
    ending = origin_text(thread)
    room = ROOM - size(marker + FOLD + FOLD_END + ending)
    if isinstance(subject, Run):
        return marker + run_summary(subject.results, subject.name, room) + ending
    return marker + comparison_text(subject, room) + ending


def comparison_text(comparison: ComparisonReport, room: int) -> str:
    """Return the verdicts that need attention, then all of them folded."""
    if comparison.names is not None:
        a, b = map(short_name, comparison.names)
        comparison = replace(comparison, names=(a, b))
    urgent = [row for row in comparison.verdicts if row.verdict not in CALM and not row.control]
    head = comparison_head(comparison)
    if len(urgent) == len(comparison.verdicts):
        return verdict_tables(head, comparison, urgent, room)
    shown = verdict_tables(head, comparison, urgent, room)
    folded = verdict_tables("", comparison, comparison.verdicts, room - size(shown))
    return shown + FOLD + folded + FOLD_END


def short_name(arm: str) -> str:
    """Return what an arm is called: an interpreter by its environment, the others as they are."""
    match = ENVIRONMENT.fullmatch(arm)
    return match[1] if match else arm


def origin_text(thread: Thread) -> str:
    """Return the line that says of which commit a comment is, and where its job is."""
    parts = [f"Measured at {thread.commit[:12]}" if thread.commit else "Measured"]
    if thread.job:
        parts.append(f"by [this job]({thread.job}), whose artifacts have the rest")
    return f"\n{' '.join(parts)}.\n"
