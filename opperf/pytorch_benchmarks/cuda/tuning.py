"""How an operator is best timed on a GPU, found out by a few probes before it is measured."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

from opperf.core.frameworks.observation import is_launch_bound
from opperf.core.statistics.warning import MeasurementWarning
from opperf.pytorch_benchmarks.cuda.blocker import (
    LONGEST_BLOCK,
    MARGIN,
    Lead,
    TimedBatch,
    run_batch,
)
from opperf.pytorch_benchmarks.cuda.device import (
    AWAITED,
    INTERVAL,
    MOST_CALLS,
    DeviceWork,
    EventDevice,
    some,
)
from opperf.pytorch_benchmarks.cuda.graph import LAUNCH, MOST_CAPTURED, try_capture

if TYPE_CHECKING:
    from opperf.core.frameworks.workload import Work

PROBES = (0.01, 0.04)
"""Seconds of the two blockers behind which an operator is found out that waits by itself."""
FEW, ROUNDS, ATTEMPTS = 4, 3, 2
SHORTEST = 1e-8
"""No call is submitted in less: seconds."""
SHORTEST_KERNEL = 2e-7
"""Seconds: an empty kernel takes several times as long."""
WAITS = MeasurementWarning(
    "synchronizes", "waits for the device by itself: timed by the host's clock"
)
NO_KERNEL = MeasurementWarning("no_kernel", "nothing runs on the device: timed by the host's clock")


@dataclass(frozen=True)
class Pace:
    """Seconds of a call on the host and on the GPU, and the calls that fit behind one blocker."""

    submit: float
    device: float
    room: int


def tune(work: Work, device: EventDevice) -> DeviceWork:
    """Return the work as it can be timed: by events, as a graph, or by the host's clock."""
    first = probe(work, device, PROBES[0])
    if waits_by_itself(work, device, first):
        return by_host(work, WAITS)
    pace = find_pace(work, device, first.submitted)
    if pace.device < SHORTEST_KERNEL:
        return by_host(work, NO_KERNEL)
    if is_launch_bound(pace.submit, pace.device):
        return by_graph(work, device, pace) or by_events(work, device, pace)
    return by_events(work, device, pace)


def by_host(work: Work, reason: MeasurementWarning) -> DeviceWork:
    """Return the work timed by the host's clock, from an idle GPU to an idle GPU."""
    return DeviceWork.of(work, replace(work.device, constant=AWAITED), by_host=reason)


def by_events(work: Work, device: EventDevice, pace: Pace) -> DeviceWork:
    """Return the work timed between events, a sample behind one blocker where it can be so few."""
    timed = replace(device, lead=Lead(pace.submit), room=pace.room)
    return DeviceWork.of(work, timed, limit=max(min(work.limit, pace.room), work.least))


def by_graph(work: Work, device: EventDevice, pace: Pace) -> DeviceWork | None:
    """Return the work timed as graphs, a sample each, or None where it cannot be captured."""
    captured = try_capture(device.cuda, work)
    if captured is None:
        return None
    timed = replace(device, lead=Lead(pace.submit), constant=LAUNCH)
    limit = max(min(work.limit, MOST_CAPTURED), work.least)
    return DeviceWork.of(work, timed, steps=captured.steps, limit=limit, graph=True)


def waits_by_itself(work: Work, device: EventDevice, first: TimedBatch) -> bool:
    """Return whether a call waits for the GPU, so that it lasts as long as any blocker before it.

    A call that is merely slow may outlast the `first` probe's blocker, but takes no longer behind
    the longer one.
    """
    if first.covered:
        return False
    second = probe(work, device, PROBES[1])
    return not second.covered and second.submitted - first.submitted > PROBES[0]


def probe(work: Work, device: EventDevice, seconds: float) -> TimedBatch:
    """Run one call behind a blocker of so many seconds."""
    return run_batch(device.cuda, some(work, 1), int(seconds * device.rate), device.clock)


def find_pace(work: Work, device: EventDevice, seconds_to_submit: float) -> Pace:
    """Return the work's pace; the room is halved until a batch is submitted before it begins.

    `seconds_to_submit` is about the seconds of submitting one call.
    """
    count = max(min(FEW, work.limit), 1)
    few = replace(device, lead=Lead(seconds_to_submit))
    batches = [few.batch(some(work, count)) for _ in range(ROUNDS)]
    submit = max(min(batch.submitted for batch in batches) / count, SHORTEST)
    seconds = max(min(batch.seconds for batch in batches) / count, SHORTEST)
    room = room_for(submit, seconds, work.limit)
    timed = replace(device, lead=Lead(submit))
    while True:
        batches = [timed.batch(some(work, room)) for _ in range(ATTEMPTS)]
        covered = [batch for batch in batches if batch.covered]
        if covered or room == 1:
            seconds = min(batch.seconds for batch in covered or batches) / room
            return Pace(submit, max(seconds, SHORTEST), room)
        room //= 2


def room_for(submit: float, seconds: float, limit: int) -> int:
    """Return how many calls to put behind one blocker.

    No more than can be prepared, than the queue of launches holds, than are submitted during the
    longest blocker, and than fill two samples.
    """
    submitted = int(LONGEST_BLOCK / (MARGIN * submit))
    filling = ceil(2 * INTERVAL / seconds)
    return max(min(MOST_CALLS, limit, submitted, filling), 1)
