"""A result without a time is no time in any format of another tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.results.status import STATUSES, TIMED
from opperf.reporting.registry import forms_of
from opperf.reporting.subjects import Run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opperf.core.results.result import Result

    Make = Callable[..., Result]
    Document = Callable[..., Any]

FORMS = [name for name, form in forms_of(Run).items() if form.only_times]
SUMMARY = {"n": 40, "median": 0.0123, "interval": [0.01, 0.02], "precision": 0.1, "warnings": []}


def texts(document: Any) -> Iterator[str]:
    """Yield every text in a document, keys included."""
    if isinstance(document, dict):
        for key, value in document.items():
            yield key
            yield from texts(value)
    elif isinstance(document, list):
        for value in document:
            yield from texts(value)
    elif isinstance(document, str):
        yield document


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("status", [status for status in STATUSES if status not in TIMED])
def test_a_status_without_a_time_has_no_row(
    make: Make, document: Document, form: str, status: str
) -> None:
    """Even where its samples were taken and a median is there."""
    wrong = make(name="Wrong", status=status, reason="it is", summary=SUMMARY)
    found = [*texts(document(form, make(name="Right"), wrong))]
    assert any("Right" in text for text in found)
    assert not any("Wrong" in text for text in found)


@pytest.mark.parametrize("form", FORMS)
def test_what_is_no_time_has_no_row(make: Make, document: Document, form: str) -> None:
    """A median that is not above zero, whatever the status says; and no median at all."""
    summaries = [{**SUMMARY, "median": 0.0}, {**SUMMARY, "median": -1e-9}, None]
    results = [make(name="Wrong", summary=summary) for summary in summaries]
    assert not any("Wrong" in text for text in texts(document(form, make(), *results)))


def test_these_are_the_formats(make: Make, document: Document) -> None:
    """All of them hold a hostile name as a name only, and are JSON without NaN."""
    assert FORMS == [
        "pytest-benchmark",
        "google-benchmark",
        "pytorch-benchmark",
        "bencher",
        "github-action-benchmark",
    ]
    for form in FORMS:
        found = [*texts(document(form, make(name="a\x1b[2J", result_id="1")))]
        assert not any("\x1b" in text for text in found)
