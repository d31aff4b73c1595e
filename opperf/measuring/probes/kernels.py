"""How many kernels a call runs, and which, by the framework's profiler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.timing.metric import Metric
from opperf.measuring.probes.probe import FreshProbe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.core.frameworks.workload import Workload

UNKNOWN = "the framework's profiler does not tell the kernels of a call here"


def count_kernels(workload: Workload, direction: str) -> Iterator[Metric]:
    """Yield how many kernels a call runs, with their names."""
    found = workload.kernels(direction)
    if found is None:
        yield Metric(name="kernels", unit="1", value=None, reason=UNKNOWN)
    else:
        yield Metric(name="kernels", unit="1", value=len(found), counted=tuple(found))


PROBE = FreshProbe(names=("kernels",), measure=count_kernels, of_forms=True)
"""Of forms only, for without two of them nobody compares their kernels, and a profiler is slow."""
