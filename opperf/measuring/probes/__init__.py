"""Probes: each finds quantities of a prepared workload, and states what it needs for it.

A probe is a file here, and a line in `PROBES`. A `TimedProbe` gets a work after its samples were
taken, a `FreshProbe` a workload in a process in which nothing is timed.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from opperf.measuring.probes import energy, instructions, kernels, memory
from opperf.measuring.probes.probe import FreshProbe, TimedProbe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.workload import Work
    from opperf.core.timing.measure import Samples
    from opperf.core.timing.metric import Metric
    from opperf.measuring.probes.probe import Probe

PROBES: Sequence[Probe] = (
    instructions.PROBE,
    energy.PROBE,
    memory.PROBE,
    kernels.PROBE,
)
"""In the order in which they are made: a profiler takes memory, so that it comes last."""


def probe(work: Work, samples: Samples, settings: Settings) -> list[Metric]:
    """Return what probes find of a timed work; one that fails costs no time that was measured."""
    found = []
    for each in PROBES:
        if isinstance(each, TimedProbe):
            with suppress(Exception):
                metric = each.measure(work, samples, settings)
                if metric is not None:
                    found.append(metric)
    return found


def fresh_probes() -> list[FreshProbe]:
    """Return the probes that need a process in which nothing is timed."""
    return [each for each in PROBES if isinstance(each, FreshProbe)]


def probed_names() -> list[str]:
    """Return the names of all metrics that probes find."""
    return [name for each in PROBES for name in each.names]


def probe_of(name: str) -> Probe:
    """Return the probe that finds a metric, which is one of `probed_names`."""
    return next(each for each in PROBES if name in each.names)
