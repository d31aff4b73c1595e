"""What a comparison still needs, and what it says in the end, from its records alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from opperf.comparing.campaign import CONFIRMING, Evidence, Rules

if TYPE_CHECKING:
    from tests.comparing.conftest import MakePair

SLOWER, EQUAL, UNCLEAR = 0.05, 0.0, (-0.03, 0.03, 0.02, -0.02, 0.01, 0.0)


@pytest.fixture
def evidence() -> Evidence:
    """Return a comparison of which nothing is known yet."""
    return Evidence(Rules(first=8, most=12))


def key(make_pair: MakePair) -> str:
    """Return the key of the records that `make_pair` makes."""
    return make_pair().key


def test_every_job_gets_the_first_sessions(evidence: Evidence, make_pair: MakePair) -> None:
    """However clear seven of them are."""
    for _ in range(8):
        assert evidence.wants_comparison(key(make_pair))
        evidence.add([make_pair(EQUAL)])
    assert not evidence.wants_comparison(key(make_pair))


def test_undecided_jobs_get_more_sessions_up_to_the_most(
    evidence: Evidence, make_pair: MakePair
) -> None:
    """From one look to the next; twelve were allowed."""
    while evidence.wants_comparison(key(make_pair)):
        number = len(evidence.of(key(make_pair)))
        evidence.add([make_pair(UNCLEAR[number % 6])])
    assert len(evidence.of(key(make_pair))) == 12
    assert evidence.judgment(key(make_pair)).verdict == "undecided"


def test_a_verdict_is_only_tried_at_looks(evidence: Evidence, make_pair: MakePair) -> None:
    """After nine sessions a tenth follows, even where nine would do."""
    evidence.add([make_pair(-0.05), *(make_pair(EQUAL) for _ in range(8))])
    assert evidence.wants_comparison(key(make_pair))


def test_the_look_that_settled_it_counts(evidence: Evidence, make_pair: MakePair) -> None:
    """Sessions after a verdict, as a resumed comparison may have, do not change it."""
    evidence.add([*(make_pair(EQUAL) for _ in range(8)), *(make_pair(SLOWER) for _ in range(4))])
    judgment = evidence.judgment(key(make_pair))
    assert (judgment.verdict, judgment.sessions) == ("equivalent", 8)


def test_slower_is_confirmed_in_fresh_sessions(evidence: Evidence, make_pair: MakePair) -> None:
    """Six of them, whose own center must be beyond the effect."""
    evidence.add([make_pair(SLOWER) for _ in range(8)])
    assert evidence.confirmed(key(make_pair)) is None
    for _ in range(CONFIRMING):
        assert evidence.wants_confirmation(key(make_pair))
        evidence.add([make_pair(SLOWER, purpose="confirmation")])
    assert not evidence.wants_confirmation(key(make_pair))
    assert evidence.confirmed(key(make_pair)) is True


def test_what_does_not_come_again_is_not_confirmed(evidence: Evidence, make_pair: MakePair) -> None:
    """The verdict stands, and says so."""
    evidence.add([make_pair(SLOWER) for _ in range(8)])
    evidence.add([make_pair(EQUAL, purpose="confirmation") for _ in range(CONFIRMING)])
    assert evidence.confirmed(key(make_pair)) is False


def test_only_slower_wants_confirmation(evidence: Evidence, make_pair: MakePair) -> None:
    """Nobody is woken at night by something faster."""
    evidence.add([make_pair(-SLOWER) for _ in range(8)])
    assert not evidence.wants_confirmation(key(make_pair))


def test_controls_get_the_first_sessions(evidence: Evidence, make_pair: MakePair) -> None:
    """As many as every job, and no more."""
    for _ in range(8):
        assert evidence.wants_control(key(make_pair))
        evidence.add([make_pair(EQUAL, purpose="control")])
    assert not evidence.wants_control(key(make_pair))


def test_a_job_that_fails_twice_is_left_alone(evidence: Evidence, make_pair: MakePair) -> None:
    """The reason is the child's own."""
    broken = {"b_status": "crashed", "reason": "arm b: killed by SIGSEGV"}
    evidence.add([make_pair(None, **broken)])
    assert evidence.wants_comparison(key(make_pair))
    evidence.add([make_pair(None, **broken)])
    assert not evidence.wants_comparison(key(make_pair))
    judgment = evidence.judgment(key(make_pair))
    assert (judgment.verdict, judgment.reason) == ("newly_fails", "arm b: killed by SIGSEGV")


def test_one_failure_costs_a_session_and_no_more(evidence: Evidence, make_pair: MakePair) -> None:
    """The verdict is that of the eight that were measured."""
    evidence.add([make_pair(None, b_status="timeout")])
    for _ in range(8):
        assert evidence.wants_comparison(key(make_pair))
        evidence.add([make_pair(EQUAL)])
    assert not evidence.wants_comparison(key(make_pair))
    assert evidence.judgment(key(make_pair)).verdict == "equivalent"
