"""A finding about the machine: a figure, whether it is a trouble, and what to do about it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

LEVELS = ("ok", "note", "warning")
"""All is well; worth knowing; numbers taken here are the worse for it."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What was looked at (`check`, of `subject`), what was seen, and advice in plain words.

    `figure` is for people; `value` and `unit` (s, B/s, FLOP/s, 1, ...) are the same for programs,
    None where there is no number.
    """

    check: str
    subject: str | None = None
    level: str = "ok"
    figure: str
    value: float | None = None
    unit: str | None = None
    advice: str = ""

    def to_mapping(self) -> dict[str, Any]:
        """Return it as a flat object."""
        return {**asdict(self), "advice": self.advice or None}
