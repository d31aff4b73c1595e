"""Probes: each finds one quantity of a workload that was timed, after its samples were taken.

A probe is a file here, and a line in `PROBES`. It returns a metric, one without a value that says
why, or None where the quantity has no meaning.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from opperf.measuring.probes.energy import measure_energy
from opperf.measuring.probes.instructions import count_instructions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.workload import Work
    from opperf.core.timing.measure import Samples
    from opperf.core.timing.metric import Metric

    Probe = Callable[[Work, Samples, Settings], Metric | None]

PROBES: Sequence[Probe] = (
    count_instructions,
    measure_energy,
)  # fmt: skip


def probe(work: Work, samples: Samples, settings: Settings) -> list[Metric]:
    """Return what all probes find; one that fails costs no time that was measured."""
    found = []
    for each in PROBES:
        with suppress(Exception):
            metric = each(work, samples, settings)
            if metric is not None:
                found.append(metric)
    return found
