"""User instructions of a call, where the processor counts them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.environment.perf_event import AVAILABLE, availability
from opperf.core.timing.instructions import counters
from opperf.core.timing.metric import Metric
from opperf.measuring.probes.probe import TimedProbe

if TYPE_CHECKING:
    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.workload import Work
    from opperf.core.timing.measure import Samples

ON_THE_HOST = "they are counted of single-threaded calls on the host only"
SHARED = "the processor's counters were in use by others meanwhile"


def count_instructions(work: Work, samples: Samples, settings: Settings) -> Metric:
    """Return the instructions of a call, or why they cannot be counted."""
    found = counters(work, samples.iterations, settings)
    value, reason = (found["instructions"], None) if found else (None, why_not(work, settings))
    return Metric(name="instructions", unit="1", value=value, reason=reason)


def why_not(work: Work, settings: Settings) -> str:
    """Return why instructions were not counted."""
    if settings.threads != 1 or work.device.name != "cpu":
        return ON_THE_HOST
    known = availability()
    return SHARED if known == AVAILABLE else known


PROBE = TimedProbe(names=("instructions",), measure=count_instructions)
