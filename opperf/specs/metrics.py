"""What a test of a specification is about."""

from __future__ import annotations

DELAY, ERROR = "delay", "error"
METRICS = (DELAY, ERROR, "memory", "throughput")
"""All but the error are found together; an error is not timed."""
