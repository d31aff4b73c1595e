"""Rates that cannot be are marked, by this machine's peaks or by those of any processor."""

from __future__ import annotations

from typing import Any

import pytest

from opperf.core.results.plausibility import impossible_rates
from opperf.core.roofline.peaks import Bandwidth, Peaks, Product

MIB = 2**20
ONE = {"device": "cpu", "threads": 1, "in_place": False}
PEAKS = Peaks(
    machine_key="0123456789abcdef",
    measured_at="2026-11-22T00:00:00.000+00:00",
    bandwidths=(
        Bandwidth(device="cpu", threads=1, nbytes=MIB, kind="copy", way="a.copy", rate=40e9),
    ),
    products=(Product(device="cpu", threads=1, dtype="float32", way="a.mm", rate=88e9),),
)


def found(
    peaks: Peaks | None,
    rates: tuple[float | None, float | None],
    *,
    dtype: str = "float32",
    **place: Any,
) -> list[str]:
    """Return what is said of the rates of an operator on one MiB."""
    where = {**ONE, **place}
    notes = [*impossible_rates(peaks, rates, dtype=dtype, nbytes=MIB, place=where)]
    assert {note.code for note in notes} <= {"impossible_rate"}
    return [note.message for note in notes]


def test_a_rate_above_the_measured_peak_is_said() -> None:
    """130.6 GFLOP/s where the core's best is 88; a little above it is within what clocks do."""
    (message,) = found(PEAKS, (130.6e9, 30e9))
    assert message == "131 GFLOP/s: the peak measured here is 88.0 GFLOP/s"
    assert found(PEAKS, (90e9, 45e9)) == []
    (message,) = found(PEAKS, (None, 309e9))
    assert message == "309 GB/s: the peak measured here is 40.0 GB/s"


def test_without_peaks_only_what_is_impossible_anywhere_is_said() -> None:
    """2.85 TB/s of one thread; three threads have three cores' first-level caches."""
    (message,) = found(None, (None, 2.85e12))
    assert message == "2.85 TB/s: no processor exceeds 1.19 TB/s on as many cores"
    assert found(None, (None, 2.85e12), threads=3) == []
    assert found(None, (300e9, 309e9)) == []
    assert len(found(None, (500e9, None))) == 1
    assert len(found(None, (300e9, None), dtype="float64")) == 1


def test_what_is_not_known_bounds_nothing() -> None:
    """Of a GPU without peaks, of whole numbers without a product, of an operator without rates."""
    assert found(None, (1e15, 1e15), device="cuda:0") == []
    assert found(PEAKS, (1e12, None), dtype="int8") == []
    assert found(PEAKS, (1e15, None), dtype="int64") == []
    assert found(PEAKS, (None, None)) == []


@pytest.mark.parametrize("peaks", [None, PEAKS])
def test_no_peak_measured_is_beyond_any_processor(peaks: Peaks | None) -> None:
    """A damaged or borrowed file of peaks does not allow what no processor does."""
    assert len(found(peaks, (None, 1.2e12))) == 1
