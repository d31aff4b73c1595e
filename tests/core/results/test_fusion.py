"""Whether something was fused, and what the time saved is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.registry import find_framework
from opperf.core.results.fusion import not_fused, split
from opperf.core.results.outcome import Outcome
from opperf.core.results.reading import from_mapping
from opperf.core.results.record import assemble, now
from opperf.declaring.description import describe
from opperf.operators.arithmetic.arithmetic import Add
from tests.records import changed

if TYPE_CHECKING:
    from opperf.core.results.result import Result

PARTS = ["Convolution", "BatchNorm", "Activation"]


def timed(seconds: float | None, **fusion: Any) -> Result:
    """Return a result of that time, with what was found of fusing it."""
    subject = describe(Add(size="small"), find_framework("numpy"), "cpu", Settings(), "only")
    blank = from_mapping(assemble(subject, "forward", Outcome(status="failed"), {}, now()))
    found = {"kernels": None, "parts": [], "traffic_bytes": None, "bandwidth": None, **fusion}
    if seconds is None:
        return changed(blank, fusion=found)
    summary = {"n": 6, "median": seconds, "interval": None, "precision": None, "warnings": []}
    return changed(blank, status="ok", summary=summary, fusion=found)


FUSED = timed(5e-3, kernels=["sg"], traffic_bytes=4_000_000, bandwidth=4e9)
UNFUSED = timed(8e-3, kernels=PARTS)
LAUNCH = timed(10e-6)


def test_the_time_saved_is_split_up() -> None:
    """Two launches of 10 us and 4 MB at 4 GB/s are 1.02 of the 3 ms; the rest is not explained."""
    found = split(FUSED, UNFUSED, LAUNCH)
    assert found is not None
    assert found.launches == pytest.approx(20e-6)
    assert found.traffic == pytest.approx(1e-3)
    assert found.rest == pytest.approx(3e-3 - 1.02e-3)


def test_the_rest_may_be_negative() -> None:
    """Where less was saved than estimated, that is seen and not cut off."""
    found = split(changed(FUSED, summary={"median": 7.9e-3}), UNFUSED, LAUNCH)
    assert found is not None
    assert found.rest == pytest.approx(0.1e-3 - 1.02e-3)


@pytest.mark.parametrize(
    ("fused", "parts", "launch"),
    [
        (changed(FUSED, fusion={"bandwidth": None}), UNFUSED, LAUNCH),
        (changed(FUSED, fusion={"traffic_bytes": None}), UNFUSED, LAUNCH),
        (changed(FUSED, fusion={"kernels": None}), UNFUSED, LAUNCH),
        (changed(FUSED, fusion={"kernels": PARTS}), UNFUSED, LAUNCH),
        (changed(FUSED, fusion=None), UNFUSED, LAUNCH),
        (FUSED, timed(8e-3, kernels=None), LAUNCH),
        (FUSED, timed(None, kernels=PARTS), LAUNCH),
        (FUSED, UNFUSED, None),
        (FUSED, UNFUSED, timed(None)),
    ],
)
def test_nothing_is_made_up(fused: Result, parts: Result, launch: Result | None) -> None:
    """Without bandwidth, bytes, fewer kernels, both times or a launch's, there is no split."""
    assert split(fused, parts, launch) is None


@pytest.mark.parametrize("fused", [PARTS, [*PARTS, "copy"]])
def test_as_many_kernels_are_not_fused(fused: list[str]) -> None:
    """The warning names them, and how many the parts run."""
    (note,) = not_fused(fused, PARTS)
    assert note.code == "not_fused"
    names = ", ".join(fused)
    assert note.message == f"no kernel saved: {len(fused)} ({names}) for 3 of the parts"


@pytest.mark.parametrize("fused", [["sg"], None])
def test_fewer_kernels_are_fused_and_unknown_ones_are_not_judged(fused: list[str] | None) -> None:
    """Nothing is said of either, nor where the parts' own were not counted."""
    assert [*not_fused(fused, PARTS)] == []
    assert [*not_fused(PARTS, None)] == []
