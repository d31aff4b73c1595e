"""CUDA graphs: a whole sample's calls captured once and launched as one.

Only calls that may be made again are captured: what a replay of a backward would read is freed
after the first, and a copy that was changed in place must be restored in between.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.workload import Work

ONCE = ("prepared_graphs", "pristine_copies")
"""The ways of measuring whose prepared calls can be made only once."""
WARM_CALLS = 3
"""Calls on the stream of the capture before it: what libraries set up must not be captured."""
MOST_CAPTURED = 2048
"""Calls in one graph: enough to fill a sample with the shortest kernels there are."""
LAUNCH = 15e-6
"""Upper bound in seconds on what launching a graph between two events adds."""


@dataclass
class Captured:
    """The steps of a work as graphs, one for each number of calls asked for."""

    cuda: Any
    work: Work
    stream: Any
    graphs: dict[int, Any] = field(default_factory=dict)

    def steps(self, iterations: int) -> Sequence[Step]:
        """Return the one step that launches so many calls, captured now if never before."""
        if iterations not in self.graphs:
            self.graphs[iterations] = self.capture(iterations)
        return [self.graphs[iterations].replay]

    def capture(self, iterations: int) -> Any:
        """Return a graph of so many calls; they are recorded, not carried out."""
        graph = self.cuda.CUDAGraph()
        steps = islice(self.work.steps(iterations), iterations)
        # A capture that fails would leave its own stream in place.
        with (
            self.cuda.stream(self.cuda.current_stream()),
            self.cuda.graph(graph, stream=self.stream),
        ):
            for step in steps:
                step()
        return graph


def try_capture(cuda: Any, work: Work) -> Captured | None:
    """Return the work's steps as graphs, or None where they cannot be captured.

    Inputs from the host, allocations of another library and calls that wait are refused by CUDA.
    """
    if work.method in ONCE:
        return None
    captured = Captured(cuda, work, cuda.Stream())
    try:
        warm_up(cuda, work, captured.stream)
        captured.steps(work.least)[0]()
        cuda.synchronize()
    except RuntimeError:
        # What broke the capture alone is over with it; what broke the GPU shows in the next call.
        with suppress(RuntimeError):
            cuda.synchronize()
        return None
    return captured


def warm_up(cuda: Any, work: Work, stream: Any) -> None:
    """Make a few calls on the stream."""
    stream.wait_stream(cuda.current_stream())
    with cuda.stream(stream):
        for step in work.steps(max(WARM_CALLS, work.least)):
            step()
    cuda.current_stream().wait_stream(stream)
