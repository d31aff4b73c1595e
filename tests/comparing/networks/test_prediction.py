"""What calls in two arms predict of their network, from records of pairs alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from itertools import count
from math import exp, log
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import pytest

from opperf.calls.capturing.source import Source
from opperf.comparing.campaign import Evidence, Rules
from opperf.comparing.networks.prediction import Prediction, Summed, predict
from opperf.comparing.row import rows_of
from opperf.comparing.signed_rank import ALPHA, LOOKS, looks_up_to, rank_at
from opperf.comparing.total import Total
from opperf.core.results.pair import Pair, PairSubject
from opperf.reporting.verdict_rows import flat
from opperf.reporting.verdicts import mean_ratio, verdict_of
from opperf.storing.manifest import SourceManifest

if TYPE_CHECKING:
    from tests.comparing.conftest import MakePair

STREAMS, SESSIONS = 4000, max(LOOKS)
MakeSession = Callable[..., Mapping[str, Pair]]


@pytest.fixture
def session(make_pair: MakePair) -> MakeSession:
    """Return what makes the pairs of a session: by name, seconds of A and the ratio of B over A."""
    numbers = count(1)

    def make(**measured: tuple[float, float] | None) -> Mapping[str, Pair]:
        number = next(numbers)
        found = {}
        for name, times in measured.items():
            a, ratio = times or (None, None)
            found[name] = make_pair(
                None if ratio is None else log(ratio),
                name=name,
                session=number,
                a_seconds=a,
                b_seconds=a and a * (ratio or 1),
                **({} if times else {"b_status": "crashed", "reason": "arm b: SIGSEGV"}),
            )
        return found

    return make


def evidence_of(*sessions: Mapping[str, Pair], first: int = 8) -> Evidence:
    """Return a comparison that has made these sessions."""
    evidence = Evidence(Rules(first=first))
    for each in sessions:
        evidence.add(each.values())
    return evidence


def keys(found: Mapping[str, Pair]) -> dict[str, str]:
    """Return the keys of a session's jobs by name."""
    return {name: pair.key for name, pair in found.items()}


def test_times_are_weighted_by_counts(session: MakeSession) -> None:
    """Ten of 1 s that take twice as long, and one of 30 s that stays: 40 s become 50 s."""
    sessions = [session(Mm=(1.0, 2.0), Conv=(30.0, 1.0)) for _ in range(8)]
    of = keys(sessions[0])
    found = predict(evidence_of(*sessions), {of["Mm"]: 10, of["Conv"]: 1}, None)
    assert found.seconds == pytest.approx((40, 50))
    assert found.sum.ratio == pytest.approx(1.25)
    assert found.sum.interval == pytest.approx((1.25, 1.25))
    assert not found.predicted
    assert found.agrees(0.02) is None


def test_what_a_step_takes_beside_its_calls_stays(session: MakeSession) -> None:
    """10 s more of a step of 80 s; it was measured to take 12.5 % more, so that both agree."""
    sessions = [session(Mm=(1.0, 2.0), Conv=(30.0, 1.0), Step=(80.0, 1.125)) for _ in range(8)]
    of = keys(sessions[0])
    found = predict(evidence_of(*sessions), {of["Mm"]: 10, of["Conv"]: 1}, of["Step"])
    assert found.step.ratio == pytest.approx(1.125)
    assert found.gap.ratio == pytest.approx(1)
    assert found.agrees(0.02) is True


@pytest.mark.parametrize(("measured", "agrees"), [(1.2, False), (1.05, False), (1.13, True)])
def test_a_step_that_changes_otherwise_differs(
    session: MakeSession, measured: float, agrees: bool
) -> None:
    """By the measured over the predicted ratio; less than the smallest effect is no difference."""
    sessions = [session(Mm=(10.0, 2.0), Step=(80.0, measured)) for _ in range(8)]
    of = keys(sessions[0])
    found = predict(evidence_of(*sessions), {of["Mm"]: 1}, of["Step"])
    assert found.agrees(0.02) is agrees
    assert found.gap.ratio == pytest.approx(measured / 1.125)


def test_only_sessions_with_all_calls_count(session: MakeSession) -> None:
    """One call was decided after eight sessions, the other one had two more."""
    sessions = [session(Mm=(1.0, 1.1), Conv=(1.0, 1.0)) for _ in range(8)]
    more = [session(Conv=(5.0, 2.0)) for _ in range(2)]
    of = keys(sessions[0])
    found = predict(evidence_of(*sessions, *more), {of["Mm"]: 1, of["Conv"]: 1}, None)
    assert len(found.sums) == 8
    assert found.sum.ratio == pytest.approx(1.05)


def test_a_call_that_fails_is_left_out_and_not_counted(session: MakeSession) -> None:
    """The sum is of what was measured, and says of what that is."""
    sessions = [session(Mm=(1.0, 1.1), Conv=None) for _ in range(2)]
    sessions += [session(Mm=(1.0, 1.1)) for _ in range(6)]
    of = keys(sessions[0])
    found = predict(evidence_of(*sessions), {of["Mm"]: 3, of["Conv"]: 1}, None)
    assert found.measured == {of["Mm"]}
    assert found.seconds == pytest.approx((3, 3.3))


def test_a_call_that_one_arm_has_not_is_unsupported_at_once(make_pair: MakePair) -> None:
    """Nobody asks a second time; of a declared operator the same is a failure of that arm."""
    reason = "arm b: PyTorch has no overload aten.new.default"
    ended = {"a_status": "ok", "b_status": "unsupported", "reason": reason}
    call = PairSubject(kind="call").to_mapping()
    pair = make_pair(None, schema="opperf.pair/3", subject=call, **ended)
    evidence = evidence_of({"": pair})
    judgment = evidence.judgment(pair.key)
    assert (judgment.verdict, judgment.reason) == ("unsupported", reason)
    assert not evidence.wants_comparison(pair.key)
    operators = [make_pair(None, name="Exp", **ended) for _ in range(2)]
    assert evidence_of({"": operators[0]}, {"": operators[1]}).judgment(
        operators[0].key
    ).verdict == "newly_fails"  # fmt: skip


def test_nothing_measured_predicts_nothing() -> None:
    """No sum, no ratio, no interval."""
    found = predict(evidence_of(), {"k": 1}, "s")
    assert found.seconds is None
    assert found.sum.ratio is None
    assert found.sum.interval is None
    assert (
        Prediction(
            sums={1: Summed(5.0, 1.0)}, steps={1: (2.0, 0.0)}, measured=frozenset()
        ).predicted
        == {}
    )


def test_means_are_over_calls_and_not_over_what_they_add_up_to(session: MakeSession) -> None:
    """Neither in a table nor on a page; the rows of the network count for themselves."""
    sessions = [session(Mm=(1.0, 2.0)) for _ in range(8)]
    evidence = evidence_of(*sessions)
    (call,) = rows_of(evidence, {keys(sessions[0])["Mm"]: 3})
    assert call.count == 3
    rows = [call, *(replace(call, kind=kind, ratio=9.0) for kind in ("network", "prediction"))]
    mean = Total(rows).mean()
    assert mean
    assert mean[0] == pytest.approx(2)
    assert len(Total(rows).compared) == 2
    found = mean_ratio([verdict_of(row) for row in rows])
    assert found
    assert found.value == pytest.approx(2)
    assert [flat(row).get("kind") for row in rows] == [None, "network", "prediction"]


def test_a_manifest_holds_all_that_a_network_is_made_from() -> None:
    """What is added to one is added to the other: whoever goes on with a comparison needs it."""
    of_source = {each.name for each in fields(Source)}
    assert {each.name for each in msgspec.structs.fields(SourceManifest)} == of_source


def simulate(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the figures of sessions of many comparisons, by network and by call, and the truth.

    Eight calls, one of them 30 % slower. In each session all ratios share an error of 1 %, each has
    one of 1.4 % of its own, and the times of A are off by a neighbor's 10 %, the calls' alike in
    part.
    """
    seconds = np.array([40, 20, 10, 10, 8, 6, 4, 2.0])
    true = np.log([1.3, 1, 1, 1, 1, 1, 1, 1])
    size = (STREAMS, SESSIONS)
    shared = 0.01 * random.standard_normal((*size, 1))
    own = 0.014 * random.standard_normal((*size, len(seconds)))
    neighbor = 0.1 * np.abs(random.standard_normal((*size, 1)))
    beside = 0.05 * random.standard_normal((*size, len(seconds)))
    a = seconds * np.exp(neighbor + beside)
    ratios = true + shared + own
    figures = np.log((a * np.exp(ratios)).sum(axis=2) / a.sum(axis=2))
    truth = log((seconds * np.exp(true)).sum() / seconds.sum())
    return figures, ratios, truth


def bounds(figures: np.ndarray, count_of: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the intervals of the first so many sessions."""
    first, second = np.triu_indices(count_of)
    averages = np.sort((figures[:, first] + figures[:, second]) / 2, axis=1)
    rank = rank_at(count_of) or 0
    return averages[:, rank - 1], averages[:, -rank]


def test_the_interval_of_a_network_holds_the_truth_at_95_per_cent() -> None:
    """At any look, though the calls of a session err together; a bootstrap of eight would not.

    Nor would the calls' own intervals, put together as if calls were independent.
    """
    figures, ratios, truth = simulate(np.random.default_rng(24))
    missed = np.zeros(STREAMS, dtype=bool)
    for look in looks_up_to(SESSIONS, SESSIONS):
        low, high = bounds(figures[:, :look], look)
        missed |= (truth < low) | (truth > high)
    error = 3 * (ALPHA * (1 - ALPHA) / STREAMS) ** 0.5
    assert missed.mean() <= ALPHA + error
    eight = figures[:, :8]
    assert eight.mean() == pytest.approx(truth, abs=1e-3), "nonlinear sums bias it by less"

    drawn = np.random.default_rng(25).integers(0, 8, (500, 8))
    ends = np.percentile(eight[:, drawn].mean(axis=2), (2.5, 97.5), axis=1)
    assert ((truth < ends[0]) | (truth > ends[1])).mean() > 1.5 * ALPHA

    weights = np.array([40, 20, 10, 10, 8, 6, 4, 2.0])
    weights = weights * np.exp(ratios[:, :8].mean(axis=1))
    weights /= weights.sum(axis=1, keepdims=True)
    error_of_each = ratios[:, :8].std(axis=1, ddof=1) / 8**0.5
    half = 2.365 * np.sqrt(((weights * error_of_each) ** 2).sum(axis=1))
    assert (np.abs(eight.mean(axis=1) - truth) > half).mean() > 1.5 * ALPHA


def test_the_predicted_step_is_held_against_the_measured_one_at_95_per_cent() -> None:
    """Where both change alike, sessions of equal truth are called different in 5 % at most."""
    random = np.random.default_rng(26)
    figures, _, truth = simulate(random)
    step = 150 * np.exp(0.05 * random.standard_normal(figures.shape))
    predicted = np.log1p(100 * (np.exp(figures) - 1) / step)
    measured = log(1 + 100 * (exp(truth) - 1) / 150) + 0.014 * random.standard_normal(figures.shape)
    low, high = bounds((measured - predicted)[:, :8], 8)
    assert ((low > 0) | (high < 0)).mean() <= ALPHA
