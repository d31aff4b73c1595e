"""The workload: an operator on a framework's own tensors, with nothing left to do but run it."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING

from opperf.core.frameworks.device import Device

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from opperf.core.checking.correctness import Outputs
    from opperf.core.frameworks.device import Step
    from opperf.core.statistics.warning import MeasurementWarning
    from opperf.core.tensors.tensor import Array

DIRECTIONS = ("forward", "forward_recorded", "backward", "forward_backward")
"""Forward is inference; forward_recorded also records what the backward needs."""

accept_all = "".format
"""What does nothing: a C function that accepts any arguments."""


def no_op_like(step: Step) -> Step:
    """Return what the harness puts round a callable, round one that does nothing.

    Passing the arguments is left out: whoever calls the operator has to do that too.
    """
    return partial(accept_all) if isinstance(step, partial) else accept_all


@dataclass(frozen=True, kw_only=True)
class Work:
    """One direction of a workload: what to call, and what surrounds the calls outside the clock.

    `steps` prepares a number of calls (recorded graphs, fresh copies), `least` and `limit` are the
    fewest and the most it can prepare at once, `context` holds during all of them, and `method`
    names how the direction is measured where there is a choice. The calls of `lead` come first in
    each timed batch, and are alone in the short one that is taken off it.
    """

    device: Device
    steps: Callable[[int], Iterable[Step]]
    no_op: Step
    context: Callable[[], AbstractContextManager[object]] = nullcontext
    least: int = 1
    limit: int = sys.maxsize
    method: str | None = None
    lead: Sequence[Step] = ()

    def time(self, iterations: int) -> float:
        """Return the seconds of this many calls, prepared before the clock starts."""
        steps = self.steps(iterations)
        return self.device.time([*self.lead, *steps] if self.lead else steps)

    def loop_overhead(self, iterations: int) -> float:
        """Return the seconds that the harness adds to as many calls of the bare callable.

        That is the time of steps that do nothing less that of the bare callable itself.
        """
        device = Device(clock=self.device.clock)
        bound = device.time(repeat(self.no_op, iterations))
        return bound - device.time(repeat(accept_all, iterations))


@dataclass(frozen=True, kw_only=True)
class Workload:
    """An operator's directions, each made when asked for, and its arrays for checking.

    `inputs` returns what those that the operator does not change are now; `outputs` runs it once,
    in training mode or not; `gradients` returns one array a differentiable input; `footprint`
    returns the bytes that a call in a direction takes, `kernels` the names of what it runs;
    `warnings` tell of how the caches were kept cold.
    """

    implementation: str
    works: Mapping[str, Callable[[], Work]]
    inputs: Callable[[], Mapping[str, Array]]
    outputs: Callable[[bool], Outputs]
    gradients: Callable[[], Mapping[str, Array]]
    footprint: Callable[[str], Mapping[str, int | None]]
    kernels: Callable[[str], Sequence[str] | None]
    warnings: Sequence[MeasurementWarning] = ()
