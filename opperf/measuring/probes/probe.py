"""A probe: the names of the quantities that it finds, how it finds them, and what it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.workload import Work, Workload
    from opperf.core.timing.measure import Samples
    from opperf.core.timing.metric import Metric


@dataclass(frozen=True, kw_only=True)
class TimedProbe:
    """Finds quantities of a work that was timed, in the process that timed it.

    `measure` returns a metric, one without a value that says why, or None where there is no sense
    in it.
    """

    names: tuple[str, ...]
    measure: Callable[[Work, Samples, Settings], Metric | None]


@dataclass(frozen=True, kw_only=True)
class FreshProbe:
    """Finds quantities of a direction in a process of its own, in which nothing is timed.

    Its heap gives back what is freed, so that memory is seen to be taken. `measure` yields metrics.
    Where it is `of_forms`, a run has it of operators with a fused and an unfused form only.
    """

    names: tuple[str, ...]
    measure: Callable[[Workload, str], Iterable[Metric]]
    of_forms: bool = False


Probe = TimedProbe | FreshProbe
