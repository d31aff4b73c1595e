"""Memory of a call: where its results lie, what it takes beside, what its backward needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.timing.metric import Metric
from opperf.measuring.probes.probe import FreshProbe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.core.frameworks.workload import Workload

NAMES = ("outputs", "workspace", "saved")
PEAK = "peak_memory"
UNKNOWN = "the framework does not tell where the tensors of the call lie"


def weigh(workload: Workload, direction: str) -> Iterator[Metric]:
    """Yield the bytes that a call takes, and both at their most: outputs and workspace."""
    found = workload.footprint(direction)
    values = {name: found.get(name) for name in NAMES}
    outputs, workspace = values["outputs"], values["workspace"]
    values[PEAK] = None if outputs is None or workspace is None else outputs + workspace
    for name, value in values.items():
        reason = UNKNOWN if value is None else None
        yield Metric(name=name, unit="B", value=value, reason=reason)


PROBE = FreshProbe(names=(*NAMES, PEAK), measure=weigh)
