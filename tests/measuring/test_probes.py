"""Probes: what they find stands in the record, and what they raise costs nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.results.metrics import metrics_of
from opperf.core.timing.metric import Metric
from opperf.measuring import probes
from opperf.measuring.probes import instructions
from opperf.measuring.probes.probe import FreshProbe, TimedProbe
from opperf.nd import Exp

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

QUICK: dict[str, Any] = {"framework": "numpy", "size": "small", "runs": 6, "warmup": 0}


def timed(measure: Callable[..., Metric | None]) -> TimedProbe:
    """Return a probe of a work that was timed."""
    return TimedProbe(names=("steps",), measure=measure)


fresh = FreshProbe(names=("room",), measure=lambda *_: [Metric(name="room", unit="B", value=1.0)])


def broken(*_: object) -> Metric:
    """Fail."""
    raise OSError("no counter")


def test_what_a_probe_finds_stands_in_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name, also where it says why there is no value; one that fails is left out."""
    found = Metric(name="steps", unit="1", value=3.0, better=None)
    absent = Metric(name="heat", unit="K", value=None, reason="no thermometer")
    made = [lambda *_: found, broken, lambda *_: absent, lambda *_: None]
    monkeypatch.setattr(probes, "PROBES", [*map(timed, made), fresh])
    (result, *_) = Exp(**QUICK).run_benchmark()
    assert [metric.name for metric in result.metrics] == ["steps", "heat"]
    assert (result.metrics[0].value, result.metrics[0].better) == (3.0, None)
    assert (result.metrics[1].value, result.metrics[1].reason) == (None, "no thermometer")
    assert result.seconds is not None
    assert (result.subject.kind, result.subject.name) == ("operator", "Exp")


def test_instructions_are_the_records_counters(monkeypatch: pytest.MonkeyPatch) -> None:
    """They have a field of their own, which earlier versions have as well."""
    made = [timed(lambda *_: Metric(name="instructions", unit="1", value=7.5))]
    monkeypatch.setattr(probes, "PROBES", made)
    (result, *_) = Exp(**QUICK).run_benchmark()
    assert result.counters.instructions == 7.5
    assert not result.metrics


def test_why_instructions_are_not_counted_stands_in_the_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A machine without counters has no figure, and says why."""
    monkeypatch.setattr("opperf.core.timing.instructions.availability", lambda: "none here")
    monkeypatch.setattr(instructions, "availability", lambda: "none here")
    (result, *_) = Exp(**QUICK).run_benchmark()
    assert result.counters is None
    (found,) = (metric for metric in result.metrics if metric.name == "instructions")
    assert (found.value, found.reason) == (None, "none here")
    assert metrics_of(result)["instructions"].reason == "none here"


def test_every_name_is_of_one_probe() -> None:
    """`opperf ab --metric` finds the probe by it."""
    names = probes.probed_names()
    assert len(names) == len({*names})
    assert all(name in probes.probe_of(name).names for name in names)
