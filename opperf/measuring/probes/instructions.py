"""User instructions of a call, where the processor counts them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.timing.instructions import counters
from opperf.core.timing.metric import Metric

if TYPE_CHECKING:
    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.workload import Work
    from opperf.core.timing.measure import Samples


def count_instructions(work: Work, samples: Samples, settings: Settings) -> Metric | None:
    """Return the instructions of a call; None where they cannot be counted."""
    found = counters(work, samples.iterations, settings)
    return Metric(name="instructions", unit="1", value=found["instructions"]) if found else None
