"""What the processor's own counters tell, where they may be read."""

from __future__ import annotations

from opperf.core.environment.perf_event import availability


def counter_facts() -> dict[str, object]:
    """Return whether instructions can be counted: "available", or in one line why not."""
    return {"instruction_counter": availability()}
