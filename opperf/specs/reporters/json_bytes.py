"""Reports as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, error_text

if TYPE_CHECKING:
    from collections.abc import Mapping

COMPACT = (",", ":")


def to_json(value: Mapping[str, Any], indent: int | None = None) -> bytes:
    """Return an object as JSON, always the same for the same object; one line without indent.

    Raises:
        UsageError: JSON has no such value.
    """
    separators = COMPACT if indent is None else None
    try:
        text = json.dumps(
            value, allow_nan=False, sort_keys=True, indent=indent, separators=separators
        )
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"a report's record is not JSON: {error_text(error)}") from error
    return text.encode()
