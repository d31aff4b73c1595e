"""Probes: what they find stands in the record, and what they raise costs nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.timing.metric import Metric
from opperf.measuring import probes
from opperf.nd import Exp

if TYPE_CHECKING:
    import pytest

QUICK: dict[str, Any] = {"framework": "numpy", "size": "small", "runs": 6, "warmup": 0}


def broken(*_: object) -> Metric:
    """Fail."""
    raise OSError("no counter")


def test_what_a_probe_finds_stands_in_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name, also where it says why there is no value; one that fails is left out."""
    found = Metric(name="steps", unit="1", value=3.0, better=None)
    absent = Metric(name="heat", unit="K", value=None, reason="no thermometer")
    made = [lambda *_: found, broken, lambda *_: absent, lambda *_: None]
    monkeypatch.setattr(probes, "PROBES", made)
    (result, *_) = Exp(**QUICK).run_benchmark()
    assert [metric.name for metric in result.metrics] == ["steps", "heat"]
    assert (result.metrics[0].value, result.metrics[0].better) == (3.0, None)
    assert (result.metrics[1].value, result.metrics[1].reason) == (None, "no thermometer")
    assert result.seconds is not None
    assert (result.subject.kind, result.subject.name) == ("operator", "Exp")


def test_instructions_are_the_records_counters(monkeypatch: pytest.MonkeyPatch) -> None:
    """They have a field of their own, which earlier versions have as well."""
    made = [lambda *_: Metric(name="instructions", unit="1", value=7.5)]
    monkeypatch.setattr(probes, "PROBES", made)
    (result, *_) = Exp(**QUICK).run_benchmark()
    assert result.counters.instructions == 7.5
    assert not result.metrics
