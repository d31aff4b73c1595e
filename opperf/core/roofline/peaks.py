"""The peaks of a machine, as measured by `opperf doctor --peaks`, and the roof of an operator.

The roof is the model of Williams, Waterman and Patterson (Roofline, 2009): an operator is bounded
by the arithmetic or by the memory, whichever it comes nearer to. Both are measured, none is taken
from a data sheet.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ALSO_BY = {"float16": "float32", "bfloat16": "float32"}
"""A framework may compute in a wider type of its own choice, which then is the faster one."""
COPY, IN_PLACE = "copy", "in_place"


@dataclass(frozen=True, kw_only=True)
class Bandwidth:
    """Bytes a second over a working set, reached in one way.

    `nbytes` counts as an operator's `byte_count` does: each operand moved once, one that is changed
    in place twice. `kind` is what moves: copy, add, read or in_place; `way` the callable.
    """

    device: str
    threads: int
    nbytes: int
    kind: str
    way: str
    rate: float


@dataclass(frozen=True, kw_only=True)
class Product:
    """FLOP a second of a product of square matrices."""

    device: str
    threads: int
    dtype: str
    way: str
    rate: float


@dataclass(frozen=True, kw_only=True)
class Peaks:
    """What one machine reached, and when (UTC)."""

    machine_key: str
    measured_at: str
    bandwidths: tuple[Bandwidth, ...]
    products: tuple[Product, ...]

    def bandwidth(
        self, nbytes: float, *, device: str, threads: int, in_place: bool = False
    ) -> float | None:
        """Return the B/s of a working set of so many bytes, None where it was not measured.

        Interpolated over the logarithm of the size. A smaller set has at least the bandwidth of a
        larger one, for it fits wherever that fits: where it was slower, the call's own cost was
        measured and not the memory's.
        """
        best: dict[int, float] = {}
        for found in within_reach(self.bandwidths, device, threads):
            if in_place or found.kind != IN_PLACE:
                best[found.nbytes] = max(best.get(found.nbytes, 0.0), found.rate)
        return interpolate(envelope(best), nbytes)

    def flop_rate(self, dtype: str, *, device: str, threads: int) -> float | None:
        """Return the FLOP/s of a product in this dtype, None where it was not measured."""
        allowed = {dtype, ALSO_BY.get(dtype)}
        found = within_reach(self.products, device, threads)
        return max((item.rate for item in found if item.dtype in allowed), default=None)


@dataclass(frozen=True)
class Roof:
    """What bounds an operator ("flop" or "bytes"), its FLOP/s or B/s, and the fraction reached."""

    bound: str
    rate: float
    fraction: float


def roof_of(
    peaks: Peaks | None,
    rates: tuple[float | None, float | None],
    *,
    dtype: str | None,
    nbytes: int | None,
    place: Mapping[str, Any],
) -> Roof | None:
    """Return the nearer of the two roofs, None where neither was measured.

    Args:
        peaks: those of the machine that measured.
        rates: the operator's own FLOP/s and B/s; None where it has none.
        dtype: the element type that it computes in.
        nbytes: its working set.
        place: the arguments `device`, `threads` and `in_place` of `Peaks.bandwidth`.
    """
    if peaks is None:
        return None
    where = {name: place[name] for name in ("device", "threads")}
    flop = peaks.flop_rate(dtype, **where) if dtype else None
    memory = peaks.bandwidth(nbytes, **place) if nbytes else None
    pairs = (("flop", rates[0], flop), ("bytes", rates[1], memory))
    roofs = [Roof(bound, peak, own / peak) for bound, own, peak in pairs if own and peak]
    return max(roofs, key=lambda roof: roof.fraction, default=None)


def within_reach(items: Iterable[Any], device: str, threads: int) -> list[Any]:
    """Return what holds for so many threads: what fewer of them reached, they reach as well.

    Nothing holds for a number between those that were measured; above the most, the most does.
    """
    here = [item for item in items if item.device == device]
    levels = {item.threads for item in here}
    if not levels or (threads not in levels and threads < max(levels)):
        return []
    return [item for item in here if item.threads <= threads]


def envelope(rates: Mapping[int, float]) -> list[tuple[int, float]]:
    """Return sizes, ascending, each with the highest rate of any that is as large or larger."""
    found: list[tuple[int, float]] = []
    for nbytes in sorted(rates, reverse=True):
        found.append((nbytes, max(rates[nbytes], found[-1][1] if found else 0.0)))
    return found[::-1]


def interpolate(points: list[tuple[int, float]], nbytes: float) -> float | None:
    """Return the rate at a size: linear over its logarithm, constant beyond both ends."""
    if not points:
        return None
    below = [point for point in points if point[0] <= nbytes]
    above = points[len(below) :]
    if not below or not above:
        return (below[-1] if below else above[0])[1]
    (low, first), (high, last) = below[-1], above[0]
    return first + (last - first) * log2(nbytes / low) / log2(high / low)
