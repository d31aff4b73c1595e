from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opperf.history.cause import HostEvidence, cause_of
from opperf.history.model import Point
from opperf.history.pooling import HostEstimate
from opperf.history.shift import CalibrationStep, HostShift, shift_of
from opperf.history.steps import HostSeries, sense_of

DAY = 24 * 3600 * 1000


def step(by: float, error: float = 0.004) -> HostEstimate:
    """Return a step of a host that has twelve sessions on each side."""
    return HostEstimate(log_ratio=by, error=error, freedom=22)


def shift(by: float, operators: int = 20, frameworks: tuple[str, ...] = ("mxnet",)) -> HostShift:
    """Return what a calibration set says all operators of which moved so far."""
    return shift_of([
        CalibrationStep(f"op{place}", name, step(by + 0.001 * (place % 3)))
        for place in range(operators)
        for name in frameworks
    ])  # fmt: skip


def verdict(
    steps: Mapping[str, HostEstimate], shifts: Mapping[str, HostShift], host: str = "a"
) -> tuple[str, str]:
    """Return what a change on a host is due to, and why."""
    found = cause_of(HostEvidence(host=host, steps=steps, shifts=shifts))
    return found.verdict, found.reason


def test_what_most_hosts_show_is_the_code() -> None:
    """One may not; more than a third may not."""
    still = dict.fromkeys("abcde", shift(0.0))
    four = {**dict.fromkeys("abcd", step(0.05)), "e": step(0.0)}
    assert verdict(four, still)[0] == "code"
    assert verdict({**four, "c": step(0.0), "d": step(0.0)}, still)[0] == "undecided"


def test_what_hosts_show_that_have_no_calibration_set_is_undecided() -> None:
    """It could be all operators."""
    found = verdict(dict.fromkeys("abc", step(0.05)), {"a": shift(0.0)})
    assert found == (
        "undecided",
        ("seen on 3 of 3 hosts that can tell; without a calibration set of each nobody knows more"),
    )  # fmt: skip


def test_a_host_that_moves_as_a_whole_is_the_cause() -> None:
    """Where the others stand still: of an operator outside of the calibration set too."""
    steps = {"a": step(0.06), "b": step(0.0), "c": step(0.001)}
    shifts = {"a": shift(0.06), "b": shift(0.0), "c": shift(0.0)}
    assert verdict(steps, shifts) == (
        "host", "20 of 20 calibration operators moved by +6.3%, and 2 other hosts stood still"
    )  # fmt: skip


def test_a_change_of_code_is_found_beside_a_host_that_moves() -> None:
    """The host that moved is left out of the ratio."""
    steps = {"a": step(0.11), "b": step(0.05), "c": step(0.05)}
    shifts = {"a": shift(0.06), "b": shift(0.0), "c": shift(0.0)}
    found = cause_of(HostEvidence(host="a", steps=steps, shifts=shifts))
    assert found.verdict == "code"
    assert found.pooled is not None
    assert (found.pooled.hosts, found.moved, found.hosts) == (2, 3, 3)
    assert found.pooled.ratio == pytest.approx(np.exp(0.05))


def test_all_hosts_and_most_operators_at_once_are_undecided() -> None:
    """A new system, or a new framework: the store cannot know."""
    steps, shifts = dict.fromkeys("abc", step(0.05)), dict.fromkeys("abc", shift(0.05))
    assert verdict(steps, shifts) == (
        "undecided", "most operators moved on 3 of 3 hosts at once"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("frameworks", "expected"), [(("mxnet",), "undecided"), (("mxnet", "pytorch"), "host")]
)
def test_a_single_host_needs_two_libraries(frameworks: tuple[str, ...], expected: str) -> None:
    """One may be a new version; no change of code is in both."""
    assert verdict({"a": step(0.06)}, {"a": shift(0.06, frameworks=frameworks)})[0] == expected


def test_one_operator_on_one_host_is_undecided() -> None:
    """Whether there are others or not, and whether these can tell or not."""
    shifts = dict.fromkeys("ab", shift(0.0))
    reason = "seen on this host alone, and 0 of 20 calibration operators moved"
    assert verdict({"a": step(0.05), "b": step(0.0)}, shifts) == ("undecided", reason)
    vague = {"a": step(0.05), "b": step(0.01, error=0.05)}
    assert verdict(vague, shifts) == ("undecided", "seen on 1 of 1 hosts that can tell")
    alone = "there is one host, and it has no calibration set"
    assert verdict({"a": step(0.05)}, {}) == ("undecided", alone)


def test_too_small_a_calibration_set_says_nothing() -> None:
    """Seven operators."""
    assert not shift(0.06, operators=7).is_known
    assert not shift(0.06, operators=7).is_shifted
    assert shift(0.06, operators=8).is_shifted


def test_an_operator_counts_once_whatever_its_series() -> None:
    """Ten series of one that moved, beside nineteen operators that did not."""
    steps = [CalibrationStep("Dot", "mxnet", step(0.1)) for _ in range(10)]
    steps += [CalibrationStep(f"op{place}", "mxnet", step(0.0)) for place in range(19)]
    found = shift_of(steps)
    assert (found.operators, found.moved, found.is_shifted) == (20, 1, False)


def test_operators_that_move_apart_are_no_shift() -> None:
    """Half slower, half faster: more than half in one sense are needed."""
    senses = [0.06] * 9 + [-0.06] * 9 + [0.0] * 2
    steps = [CalibrationStep(f"op{place}", "mxnet", step(by)) for place, by in enumerate(senses)]
    assert not shift_of(steps).is_shifted


effects = st.floats(-0.2, 0.2)


@given(st.lists(st.tuples(effects, effects), min_size=1, max_size=6))
def test_slower_and_faster_are_judged_alike(hosts: list[tuple[float, float]]) -> None:
    """And no evidence whatever has no verdict, or one of the code by a single host."""
    found = []
    for sign in (1, -1):
        steps = {str(place): step(sign * own) for place, (own, _) in enumerate(hosts)}
        shifts = {
            str(place): shift_of([
                CalibrationStep(f"op{n}", "mxnet", step(sign * by)) for n in range(20)
            ])
            for place, (_, by) in enumerate(hosts)
        }  # fmt: skip
        found.append(verdict(steps, shifts, "0")[0])
    assert found[0] == found[1] or 0.0 in {own for own, _ in hosts}
    assert found[0] != "code" or len(hosts) > 1


def series(*levels: tuple[int, float], start: int = 0, spread: float = 0.002) -> HostSeries:
    """Return a series of daily sessions with these lengths and levels."""
    times = np.concatenate([np.full(count, level) for count, level in levels])
    noise = np.exp(np.random.default_rng(3).normal(0, spread, len(times)))
    return HostSeries([
        Point(at=start + place * DAY, value=float(time))
        for place, time in enumerate(times * noise)
    ])  # fmt: skip


def test_the_step_of_a_host_is_at_its_own_change() -> None:
    """Where it has one within a week; else at the time that is asked for."""
    late = series((30, 1.0), (10, 1.1))
    found = late.step_at(26 * DAY)
    assert found is not None
    assert found.log_ratio == pytest.approx(np.log(1.1), abs=0.003)
    assert (sense_of(found), found.freedom) == (1, 20)
    elsewhere = late.step_at(15 * DAY)
    assert elsewhere is not None
    assert sense_of(elsewhere) == 0


def test_a_host_without_sessions_on_both_sides_has_no_step() -> None:
    """One session after is not enough, nor is none at all."""
    own = series((30, 1.0))
    assert own.step_at(29 * DAY) is None
    assert own.step_at(-DAY) is None
    assert own.step_at(99 * DAY) is None
    assert HostSeries([]).step_at(0) is None


def test_one_spike_moves_no_step() -> None:
    """A session that took ten times as long, next to the place."""
    points = [*series((40, 1.0)).points]
    points[21] = Point(at=points[21].at, value=10.0)
    found = HostSeries(points).step_at(20 * DAY)
    assert found is not None
    assert abs(found.log_ratio) < 0.003
