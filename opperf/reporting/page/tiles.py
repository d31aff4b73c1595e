"""The tiles at the top of a page or of a view: a number, and what it is below it."""

from __future__ import annotations


def tile(label: str, value: str, level: str) -> dict[str, str]:
    """Return one tile; `level` is "good", "warn", "bad" or nothing."""
    return {"label": label, "value": value, "level": level}
