"""What readers look at of a record's environment."""

from __future__ import annotations

from typing import Any

from opperf.core.results.parts import Part, Whole


class EnvironmentRecord(Part, frozen=True, kw_only=True):
    """What readers look at of the machine's facts; a record has more, shown as they are."""

    machine_key: str | None = None
    cpu: str | None = None
    architecture: str | None = None
    python: dict[str, Any] | None = None
    packages: dict[str, Any] | None = None
    instruction_sets: tuple[str, ...] | None = None
    instruction_sets_allowed: dict[str, Any] | None = None
    affinity: tuple[Whole, ...] | None = None
