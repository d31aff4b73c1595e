"""What is measured next, and when there is an answer."""

from __future__ import annotations

from itertools import count, islice

from opperf.commits.bisection.answer import NAMED, RANGE, SAME, UNDECIDED, answer_of
from opperf.commits.bisection.judging import SURE, by_then, next_of, verdict_on
from opperf.commits.bisection.search import Quest, Search

WOBBLE = (0.004, -0.009, 0.011, -0.002, -0.006, 0.007, 0.001, -0.012, 0.009, 0.003)


def carry_out(search: Search, at: int, size: float = 0.08, most: int = 400) -> Search:
    """Bisect a step of a size that comes with a commit."""
    for number, probe in enumerate(islice(iter(search.next, None), most)):
        low, high = probe.span
        search.add(probe.span, size * (low < at <= high) + WOBBLE[number % 10])
    return search


def test_the_ends_are_compared_first_and_alone() -> None:
    """Until a look has settled whether they differ."""
    search = Search(count=16)
    for number in range(8):
        probe = search.next()
        assert probe
        assert probe.span == (0, 16)
        search.add(probe.span, 0.08 + WOBBLE[number])
    probe = search.next()
    assert probe
    assert probe.span == (0, 8)


def test_the_commit_is_named_after_it_was_compared_with_the_one_before() -> None:
    """Eight sessions at least, whose interval excludes that nothing changed."""
    search = carry_out(Search(count=16), 6)
    answer = answer_of(search)
    assert (answer.kind, answer.span) == (NAMED, (5, 6))
    assert len(search.of((5, 6))) >= 8
    assert answer.step
    assert answer.step.is_shown


def test_every_place_is_found() -> None:
    """The first commit after GOOD and BAD itself as well."""
    for at in range(1, 9):
        answer = answer_of(carry_out(Search(count=8), at))
        assert answer.span == (at - 1, at)


def test_one_commit_needs_no_probe() -> None:
    """GOOD and BAD are neighbors: their own sessions say all."""
    search = carry_out(Search(count=1), 1)
    assert answer_of(search).kind == NAMED
    assert search.sessions == 8


def test_commits_that_cannot_be_built_leave_a_range() -> None:
    """They go with the next one that can be."""
    search = carry_out(Search(count=16, left_out={5, 6, 7}), 6)
    answer = answer_of(search)
    assert (answer.kind, answer.span) == (NAMED, (4, 8))
    assert not {at for span in search.contrasts for at in span} & {5, 6, 7}


def test_all_between_left_out_ends_with_the_whole_range() -> None:
    """There is nothing to probe."""
    search = carry_out(Search(count=4, left_out={1, 2, 3}), 2)
    assert answer_of(search).span == (0, 4)


def test_where_sessions_run_out_there_is_a_range() -> None:
    """With the probability that was asked for, or more."""
    search = carry_out(Search(count=64, quest=Quest(most=10)), 20)
    answer = answer_of(search)
    assert answer.kind == RANGE
    assert answer.span
    assert answer.span[0] < 20 <= answer.span[1]
    assert answer.probability
    assert answer.probability >= 0.94


def test_the_other_way_is_no_answer() -> None:
    """Faster is not slower; whoever seeks any change gets it."""
    search = carry_out(Search(count=8), 3, -0.08)
    assert (answer_of(search).kind, search.sessions) == (SAME, 8)
    assert answer_of(carry_out(Search(count=8, quest=Quest(direction="any")), 3, -0.08)).span


def test_ends_that_are_never_settled_are_undecided() -> None:
    """As wide as the change itself, and wider."""
    search = Search(count=8)
    values = count()
    while probe := search.next():
        search.add(probe.span, 0.3 * WOBBLE[next(values) % 10] / 0.01)
    assert search.sessions == 24
    assert answer_of(search).kind == UNDECIDED


def test_a_commit_is_judged_by_its_own_sessions() -> None:
    """For `git bisect run`: GOOD and BAD by what they are, others when they are sure."""
    search = Search(count=8)
    for at, bad in ((0, False), (8, True), (2, False), (3, True), (6, True)):
        for number, probe in enumerate(iter(lambda at=at: next_of(search, at), None)):
            low, high = probe.span
            search.add(probe.span, 0.08 * (low < 3 <= high) + WOBBLE[number % 10])
        assert verdict_on(search, at) is bad
    search.left_out.add(5)
    assert next_of(search, 5) is None
    assert verdict_on(search, 5) is None


def test_a_machine_that_got_noisier_misleads_no_verdict() -> None:
    """A session that looks like GOOD or BAD by chance is not taken by their sessions' small spread.

    Here the first sessions of a commit are as BAD is, and the others, as far apart, as GOOD is.
    """
    search = Search(count=8)
    while probe := next_of(search, 8):
        search.add(probe.span, 0.08 + WOBBLE[len(search.of(probe.span)) % 10])
    search.add((0, 4), 0.08)
    assert by_then(search, 4) > SURE
    assert verdict_on(search, 4) is None
    search.add((0, 4), 0.02)
    assert verdict_on(search, 4) is None
