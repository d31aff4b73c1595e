"""Description of a network's step for its record, without the framework."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.results.identity import NETWORK
from opperf.core.results.outcome import Subject
from opperf.networks.request import attributes_of

if TYPE_CHECKING:
    from opperf.core.configuration.settings import Settings
    from opperf.networks.request import ModelRequest


def describe_step(request: ModelRequest, settings: Settings) -> Subject:
    """Return what is measured: a network's step, as it was asked for."""
    return Subject(
        kind=NETWORK,
        operator={
            "name": request.model,
            "category": NETWORK,
            "framework": request.entry.framework,
            "implementation": request.entry.module or str(request.entry.path),
            "size": None,
            "fused": None,
            "device": request.device,
            "cache": settings.cache,
            "process": settings.process,
            "cores": settings.cores,
            "threads": settings.threads,
        },
        inputs=(),
        attributes=attributes_of(request),
        initializer=None,
        seed=settings.seed,
        threads=settings.threads,
        counts={},
        output_bytes=None,
        definition={"parameters": request.entry.parameters},
    )
