"""Training on several devices, seen from the measuring child: it launches a process for each."""

from __future__ import annotations

import json
import signal
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from opperf.core.environment import collect
from opperf.core.errors import UsageError
from opperf.core.results import record
from opperf.core.results.outcome import Outcome
from opperf.measuring.worker.launch import PROGRAM
from opperf.networks.data.place import beside_parent
from opperf.networks.description import describe_step
from opperf.networks.measuring.attempt import ModelAttempt
from opperf.networks.measuring.messages import hearing
from opperf.networks.measuring.rank import REPORTED
from opperf.networks.request import request_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opperf.core.frameworks.variant import Variant
    from opperf.networks.request import ModelRequest
    from opperf.planning.task import Row

RANK = "opperf.networks.measuring.rank"
LAUNCHED = "pytorch"
"""The framework whose processes are launched."""
STARTING = 60.0
"""Seconds that all processes may take to import their framework, beside the time-out."""


@dataclass
class LaunchedAttempt(ModelAttempt):
    """A network's task on several devices; the record is that of the first process."""

    def records(
        self, rows: Sequence[Row], announce: Callable[[Variant, str], None]
    ) -> Iterator[dict[str, Any]]:
        """Yield the record of each row as JSON."""
        request = request_from(self.task.request)
        for row in rows:
            announce(*row)
            started_at = record.now()
            found = self.launched(request, row)
            if isinstance(found, Outcome):
                environment = collect(self.framework.facts())
                subject = describe_step(request, self.task.settings)
                found = record.assemble(subject, row[1], found, environment, started_at)
            yield found

    def launched(self, request: ModelRequest, row: Row) -> Outcome | dict[str, Any]:
        """Return what the first process found, or how another one ended it."""
        if request.entry.framework != LAUNCHED:
            return Outcome(
                status="unsupported",
                reason=f"several devices train networks of {LAUNCHED} alone; leave out --processes"
                " and --num_gpus",
            )
        room = import_module(f"opperf.networks.{LAUNCHED}.distributed")
        task = asdict(replace(self.task, rows=(row,)))
        given = {"task": task, "processors": beside_parent().processors}
        program = ["-c", PROGRAM, RANK, json.dumps(given, allow_nan=False)]
        reports: dict[int, dict[str, Any]] = {}

        def hear(rank: int, message: Any) -> None:
            if isinstance(message, dict):
                reports[rank] = message
            else:
                self.tell(message)

        try:
            room.check_devices(request.device, request.devices)
            self.tell(STARTING)
            with hearing(hear):
                failures = room.launch(program, request.devices, request.port)
        except UsageError as error:
            return Outcome(status="failed", reason=str(error))
        return found_in(reports, failures, request.devices)


def found_in(
    reports: Mapping[int, dict[str, Any]], failures: Mapping[int, int], count: int
) -> Outcome | dict[str, Any]:
    """Return the first process's record, or what kept it from one: a death before an error.

    The records are in the order in which they came; of errors the first one explains the others.
    """
    died = {rank: status for rank, status in failures.items() if status != REPORTED}
    if died:
        rank, status = next(iter(died.items()))
        return crashed(rank, status, count)
    first = next((rank for rank in reports if rank in failures), 0)
    if first not in reports:
        return Outcome(status="failed", reason=f"rank {first} of {count} sent no record")
    found = reports[first]
    if first == 0:
        return found
    return Outcome(status=found["status"], reason=f"rank {first} of {count}: {found['reason']}")


def crashed(rank: int, status: int, count: int) -> Outcome:
    """Return the outcome of a step one of whose processes died; its last words are printed."""
    if status >= 0:
        reason = f"rank {rank} of {count} ended with status {status}"
        return Outcome(status="crashed", reason=reason)
    name = signal.Signals(-status).name
    return Outcome(
        status="crashed", reason=f"rank {rank} of {count} was killed by {name}", signal=name
    )
