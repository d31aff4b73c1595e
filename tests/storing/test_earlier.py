"""How long the work of earlier runs took, by what their journals say."""

from __future__ import annotations

from opperf.storing.earlier import LONGEST, seconds_by_work


def test_work_takes_until_the_next_begins_in_each_session() -> None:
    """The last until the journal was written; the sum of all is that of the run."""
    starts = [(10.0, 0, "a"), (14.0, 0, "b"), (25.0, 1, "b"), (20.0, 1, "a")]
    assert seconds_by_work(starts, 31.0) == {"a": (4 + 5) / 2, "b": (6 + 6) / 2}


def test_what_is_measured_twice_in_a_session_takes_both_times() -> None:
    """As a control beside its row does."""
    assert seconds_by_work([(10.0, 0, "a"), (12.0, 0, "a")], 15.0) == {"a": 5.0}


def test_a_pause_is_no_work() -> None:
    """Of a run that was gone on with the next day, nor a clock that was set back."""
    starts = [(10.0, 0, "a"), (10.0 + LONGEST, 1, "a")]
    assert seconds_by_work(starts, 12.0 + LONGEST) == {"a": 2.0}
    assert seconds_by_work([(10.0, 0, "a")], 9.0) == {}
