"""Description of a network for its record, without the framework."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.results.identity import NETWORK
from opperf.core.results.outcome import Subject

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.configuration.settings import Settings


def network_subject(
    name: str, what: str, given: Mapping[str, Any], place: Mapping[str, str], settings: Settings
) -> Subject:
    """Return what is measured of a network.

    Args:
        name: the network's.
        what: of its step: the whole one, or the sum of its operators.
        given: mode, batch and whatever else tells it from others of the name.
        place: framework and device.
        settings: how it is measured.

    """
    return Subject(
        kind=NETWORK,
        operator={
            "name": name,
            "category": NETWORK,
            "implementation": what,
            "size": None,
            "fused": None,
            **place,
            "cache": settings.cache,
            "process": settings.process,
            "cores": settings.cores,
            "threads": settings.threads,
        },
        inputs=(),
        attributes={key: value for key, value in given.items() if value is not None} | {"of": what},
        initializer=None,
        seed=settings.seed,
        threads=settings.threads,
        counts={},
        output_bytes=None,
        definition={},
    )


def direction_of(*, training: bool) -> str:
    """Return which direction a step is: a training step goes there and back."""
    return "forward_backward" if training else "forward"


def title(name: str, mode: str | None, what: str) -> str:
    """Return "resnet50 training, sum of operators"."""
    return f"{' '.join(filter(None, (name, mode)))}, {what}"
