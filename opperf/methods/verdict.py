"""Whether a method has succeeded: by how its process ended, and by its metrics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.core.errors import quote
from opperf.core.results.status import TROUBLE

if TYPE_CHECKING:
    from opperf.methods.process import Answered
    from opperf.watching.ending import Ending

MOST_FAULTS = 3
"""Metrics that a reason names."""


@dataclass(frozen=True, kw_only=True)
class MethodVerdict:
    """The status of a method's record, and why it is not "ok"; `exception` where it did not end."""

    status: str
    reason: str | None = None
    exception: bool = False

    @property
    def succeeded(self) -> bool:
        """Whether it ended without an exception, and no metric says otherwise."""
        return self.status not in TROUBLE


def judge_run(ending: Ending, answered: Answered) -> MethodVerdict:
    """Return what becomes of a method whose process ended so and left this behind."""
    if ending.status in ("timeout", "crashed"):
        return MethodVerdict(status=ending.status, reason=ending.reason, exception=True)
    if why := fault_of(ending, answered):
        return MethodVerdict(status="failed", reason=why, exception=True)
    report = answered.read_report()
    if faults := report.faults():
        rest = len(faults) - MOST_FAULTS
        more = f", and {rest} more" if rest > 0 else ""
        said = f"{'; '.join(faults[:MOST_FAULTS])}{more}"
        return MethodVerdict(status="wrong_result", reason=said)
    if not answered.reports:
        return MethodVerdict(status="failed", reason="report_benchmark() was not called")
    if report.seconds is None:
        said = "report_benchmark() was told no wall_time"
        return MethodVerdict(status="no_time", reason=said)
    return MethodVerdict(status="ok")


def fault_of(ending: Ending, answered: Answered) -> str | None:
    """Return why a method did not come to its end, or cannot be believed."""
    if answered.fault:
        return answered.fault
    if answered.exception:
        return f"it raised {quote(answered.exception)[1:-1]}"
    if not answered.finished:
        return ending.reason or "its process ended with status 0 before it did"
    return None if ending.status == "ok" else ending.reason
