"""Capturing a network's calls in a process of its own, which ends with whatever happens there."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from msgspec import convert
from msgspec.structs import replace

from opperf.calls.format.model import CallRecord, CallsRecord, Growth
from opperf.core.configuration.settings import PLAIN, Settings
from opperf.core.errors import UsageError, WorkerError
from opperf.measuring.worker.endings import Ended, Hung
from opperf.measuring.worker.handle import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opperf.calls.capturing.source import Source
    from opperf.measuring.worker.handle import Limits

STEPS, BUDGETS = 40, 4
"""Steps and budgets that timing a network may take at most, on top of the time-out."""


@dataclass(frozen=True, kw_only=True)
class CaptureRequest:
    """What is captured: a network of a framework, and how its step is timed, if it is."""

    source: Source
    framework: str
    limits: Limits
    settings: Settings
    timed: bool = True

    def message(self) -> dict[str, Any]:
        """Return what the child is asked for."""
        return {
            "source": asdict(self.source),
            "timed": self.timed,
            "settings": asdict(self.settings),
        }


def capture(request: CaptureRequest, tell: Callable[[str], None]) -> CallsRecord:
    """Return the calls of a network's step.

    Raises:
        UsageError: it cannot be made, or its step cannot be run; one line says why.
    """
    worker = Worker(
        framework=request.framework,
        device=request.source.device,
        threads=request.settings.threads,
        limits=request.limits,
        plain=request.settings.process == PLAIN,
        module="opperf.calls.capturing.child",
    )
    try:
        worker.ensure()
        found: dict[str, dict[str, Any]] = {}
        calls: list[CallRecord] = []
        for event in answers(worker, request, tell):
            found[event["event"]] = event
            if "call" in event:
                calls.append(convert(event["call"], CallRecord))
            if event["event"] == "growth":
                number, growth = event["growth"]["call"], event["growth"]["per_example"]
                per_example = convert(growth, tuple[Growth, ...])
                calls[number] = replace(calls[number], per_example=per_example)
            if event["event"] == "batchless":
                tell(f"{request.source.name}: batch axes unknown: {event['reason']}")
    finally:
        worker.close()
    if not calls:
        raise UsageError(f"{request.source.text}: a step calls no operator")
    return CallsRecord(
        network=request.source.name,
        framework=request.framework,
        framework_version=str(worker.environment["framework_version"]),
        mode=request.source.mode,  # type: ignore[arg-type] # one of the two, as the flag's choices say
        batch=found["network"]["batch"] or request.source.batch,
        device=request.source.device,
        source="capture",
        kind=request.source.kind,
        measured=found["timed"]["measured"] if "timed" in found else {},
        calls=tuple(calls),
    )


def answers(
    worker: Worker, request: CaptureRequest, tell: Callable[[str], None]
) -> Iterator[dict[str, Any]]:
    """Yield what the child says; how long it may take for a time depends on a step's."""
    source, extra = request.source, 0.0
    try:
        event = worker.ask(request.message())
        while event["event"] != "done":
            if event["event"] == "refused":
                said = event["reason"]
                raise UsageError(said if source.text in said else f"{source.text}: {said}")
            if event["event"] == "stepped":
                extra = STEPS * event["seconds"] + BUDGETS * request.settings.budget
                tell(f"{source.name}: a step takes about {event['seconds']:.2g} s at first")
            yield event
            event = worker.receive(worker.limits.timeout + extra)
    except Hung as error:
        raise UsageError(f"{source.text}: {error}; --timeout allows more") from None
    except Ended as error:
        said = worker.log.last_line()
        raise UsageError(f"{source.text}: {error}{f', said: {said}' if said else ''}") from None
    except WorkerError as error:
        raise UsageError(f"{source.text}: {error}") from None
