"""Rates that cannot be: above what this machine reached, or any processor could.

Where peaks were measured (`opperf doctor --peaks`), a rate a quarter above them is one: a peak is
itself only the best of some seconds. Where they were not, the bounds are those of the widest cores
on the market, so that only what is impossible anywhere is said:

* 6.2 GHz, the highest clock of an x86 processor sold so far (Intel Core i9-14900KS);
* two 512-bit fused multiply-adds a cycle, 64 FLOP of float32 and 32 of float64; a tile of AMX does
  2048 of half precision and 4096 of int8 (Intel, Optimization Reference Manual, 2024);
* two loads and one store of 64 bytes a cycle from the first-level cache (the same).

Of a GPU nothing is said unless its peaks were measured.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.statistics.warning import MeasurementWarning
from opperf.core.units import format_rate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.core.roofline.peaks import Peaks

TOLERATED = 1.25
"""By how much a rate may exceed a measured peak: clocks and neighbors differ by that."""
CLOCK = 6.2e9
FLOP_A_CYCLE = {
    "float64": 32, "float32": 64, "float16": 2048, "bfloat16": 2048, "int8": 4096,
}  # fmt: skip
BYTES_A_CYCLE = 3 * 64


def impossible_rates(
    peaks: Peaks | None,
    rates: tuple[float | None, float | None],
    *,
    dtype: str | None,
    nbytes: int | None,
    place: Mapping[str, Any],
) -> Iterator[MeasurementWarning]:
    """Yield a warning for the FLOP/s and for the B/s that cannot be.

    Args:
        peaks: those of the machine that measured.
        rates: the operator's own FLOP/s and B/s, by the longest time that its interval allows.
        dtype: the element type that it computes in.
        nbytes: its working set.
        place: the arguments `device`, `threads` and `in_place` of `Peaks.bandwidth`.
    """
    where = {name: place[name] for name in ("device", "threads")}
    flop = peaks.flop_rate(dtype, **where) if peaks and dtype else None
    memory = peaks.bandwidth(nbytes, **place) if peaks and nbytes else None
    cores = CLOCK * place["threads"] if place["device"] == "cpu" else None
    widest = FLOP_A_CYCLE.get(dtype or "")
    for rate, unit, measured, cycle in (
        (rates[0], "FLOP/s", flop, widest),
        (rates[1], "B/s", memory, BYTES_A_CYCLE),
    ):
        limits = [TOLERATED * measured] if measured else []
        limits += [cycle * cores] if cycle and cores else []
        if rate and limits and rate > min(limits):
            yield MeasurementWarning(
                "impossible_rate", impossible_text(rate, unit, min(limits), measured)
            )


def impossible_text(rate: float, unit: str, limit: float, peak_rate: float | None) -> str:
    """Return what is wrong, and with what the rate was compared."""
    if peak_rate and TOLERATED * peak_rate == limit:
        peak = f"the peak measured here is {format_rate(peak_rate, unit)}"
    else:
        peak = f"no processor exceeds {format_rate(limit, unit)} on as many cores"
    return f"{format_rate(rate, unit)}: {peak}"
