"""What a device tells of itself beside the samples, and when its host is what holds it up."""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING, Any

from opperf.core.statistics.warning import MeasurementWarning

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

LAUNCH_BOUND = 0.8
"""The share of the device's time from which on submitting a call is what takes the time."""
LATE_SHARE = 0.1

OperatorTimes = tuple[dict[str, float], float]
"""The seconds of each operator of a step by the framework's own profiler, what it calls apart, and
those of the whole step meanwhile."""


@dataclass(frozen=True, kw_only=True)
class Observation:
    """What was seen of a device while, and right after, an operator was sampled on it.

    `device_times` are those of the record, `conditions` what its environment was like.
    """

    device_times: Mapping[str, Any] | None = None
    conditions: Mapping[str, Any] = field(default_factory=dict)
    warnings: Sequence[MeasurementWarning] = ()
    cautions: InitVar[Sequence[MeasurementWarning]] = ()
    """What plug-ins written before 2026-11-23 call `warnings`."""

    def __post_init__(self, cautions: Sequence[MeasurementWarning]) -> None:
        """Take the older spelling."""
        if cautions:
            object.__setattr__(self, "warnings", cautions)


def is_launch_bound(submit: float, device: float) -> bool:
    """Return whether the host's seconds of a call could hold up the device's."""
    return submit > LAUNCH_BOUND * device


def time_warnings(times: Mapping[str, Any], late_share: float) -> Iterator[MeasurementWarning]:
    """Yield what a GPU's figures of host and device, and the late batches, say of the headline."""
    if not times["graph"] and is_launch_bound(times["submit"], times["device"]):
        share = times["submit"] / times["device"]
        yield MeasurementWarning(
            "launch_bound",
            f"submitting takes {share:.2g} times the device's time, and no graph was captured",
        )
    if late_share > LATE_SHARE:
        text = f"in {late_share:.0%} of the batches the device may have waited for the host"
        yield MeasurementWarning("starved", text)


def clock_warnings(state: Mapping[str, Any] | None) -> Iterator[MeasurementWarning]:
    """Yield what slowed the device's clock down, idling and the user's own setting apart."""
    reasons = [name for name in (state or {}).get("throttle_reasons") or () if name in SLOWING]
    if reasons:
        yield MeasurementWarning("throttled", f"the GPU slows its clock down: {', '.join(reasons)}")


SLOWING = (
    "sw_power_cap",
    "hw_slowdown",
    "sw_thermal_slowdown",
    "hw_thermal_slowdown",
    "hw_power_brake_slowdown",
)
"""The reasons of NVML by which a GPU runs more slowly than asked for."""
