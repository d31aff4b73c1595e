"""What fusing does, by records alone: whether it happened, and what the time saved is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.core.statistics.warning import MeasurementWarning

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.results.result import Result

LAUNCH = "OneElementCopy"
"""The operator whose time is taken for the cost of a launch: all that it does is to be called."""


@dataclass(frozen=True)
class FusionSavings:
    """Seconds that fusing saves: by launches and by traffic, both estimated, and what is left."""

    launches: float
    traffic: float
    rest: float


def not_fused(
    fused: Sequence[str] | None, parts: Sequence[str] | None
) -> Iterator[MeasurementWarning]:
    """Yield a warning where the fused form runs as many kernels as its parts, or more."""
    if fused is None or parts is None or len(fused) < len(parts):
        return
    yield MeasurementWarning(
        "not_fused",
        f"no kernel saved: {len(fused)} ({', '.join(fused)}) for {len(parts)} of the parts",
    )


def kernels_of(result: Result) -> Sequence[str] | None:
    """Return the kernels that one call runs, None where they were not counted."""
    return result.fusion.kernels if result.fusion else None


def split(fused: Result, parts: Result, launch: Result | None) -> FusionSavings | None:
    """Return what the time saved is made of, None where something that it takes is not known.

    Launches are the kernels saved, each as long as the framework takes to copy one element
    (`launch`). Traffic is what the parts hand to each other, written and read at the bandwidth that
    `opperf doctor --peaks` measured over as many bytes: the least that it can take, as this machine
    moves nothing faster. The rest may be negative.
    """
    few, many = kernels_of(fused), kernels_of(parts)
    found = fused.fusion
    cost = launch.seconds if launch else None
    if few is None or many is None or cost is None:
        return None
    if found is None or not found.traffic_bytes or not found.bandwidth:
        return None
    if fused.seconds is None or parts.seconds is None or len(few) >= len(many):
        return None
    launches, traffic = (len(many) - len(few)) * cost, found.traffic_bytes / found.bandwidth
    return FusionSavings(launches, traffic, parts.seconds - fused.seconds - launches - traffic)
