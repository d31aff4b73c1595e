"""What a command asks of a network's calls, where nothing is said: as they were captured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.calls.measuring.plan import AS_CAPTURED

if TYPE_CHECKING:
    from opperf.calls.format.model import CallsRecord
    from opperf.core.configuration.options import Configuration


def frameworks_of_calls(record: CallsRecord, configuration: Configuration) -> tuple[str, ...]:
    """Return the frameworks asked for, by default that whose calls they are."""
    asked = configuration["framework"].value
    return tuple(asked) if asked else (record.framework,)


def dtype_asked(configuration: Configuration) -> str:
    """Return the element type that is asked for; unless one is, that of each call."""
    value = configuration["dtype"]
    return AS_CAPTURED if value.origin == "default" else str(value.value)
