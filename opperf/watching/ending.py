"""How a command ended: its status, and why in one line."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from opperf.core.units import format_seconds

if TYPE_CHECKING:
    from opperf.watching.usage import Usage


@dataclass(frozen=True, kw_only=True)
class Ending:
    """How a command ended and what it took.

    Args:
        status: "ok", "failed", "crashed" or "timeout", as in a record.
        reason: why it is not "ok".
        exit_status: as it gave it; None where a signal or nobody ended it.
        signal: the name of the signal that ended it.
        seconds: from the moment it was let go to its end.
        started_at: the time in UTC at which it was let go.
        usage: what all of its processes took.
        tail: the end of what it printed.
        outliving: how many processes of it were still there when it had ended; they were killed.
        unkillable: those that could not be.
        log_fault: why its log is not whole.
    """

    status: str
    reason: str | None = None
    exit_status: int | None = None
    signal: str | None = None
    seconds: float
    started_at: str
    usage: Usage
    tail: str = ""
    outliving: int = 0
    unkillable: list[int] = field(default_factory=list)
    log_fault: str | None = None


def judge(report: dict[str, object], timeout: float | None) -> dict[str, object]:
    """Return the fields `status`, `reason`, `exit_status` and `signal` of an ending.

    Args:
        report: the keeper's last words; empty where it was killed.
        timeout: the seconds after which the command was ended, None where it ended by itself.
    """
    status, fault = report.get("status"), report.get("fault")
    if timeout is not None:
        why = f"no end within {format_seconds(timeout)}; it and all that it had started were ended"
        return {"status": "timeout", "reason": why}
    if fault:
        return {"status": "failed", "reason": f"cannot run {fault}"}
    if not isinstance(status, int):
        return {"status": "crashed", "reason": "the process that watched over it was killed"}
    if status < 0:
        name = signal_name(-status)
        return {"status": "crashed", "reason": f"it was ended by {name}", "signal": name}
    if status:
        why = f"it ended with status {status}"
        return {"status": "failed", "reason": why, "exit_status": status}
    return {"status": "ok", "exit_status": 0}


def signal_name(number: int) -> str:
    """Return "SIGKILL"."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
