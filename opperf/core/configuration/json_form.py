"""JSON from strangers: no key stands twice, and every number is one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence


def parse_json(text: str, name: str) -> object:
    """Return what JSON says, in which no key may stand twice and every number is one."""
    try:
        return json.loads(text, object_pairs_hook=unique, parse_constant=refuse_constant)
    except RecursionError:
        raise UsageError(f"{name}: not JSON that can be read: nested too deeply") from None
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from None
    except ValueError as error:
        raise UsageError(f"{name}: not valid JSON: {error}") from None


def unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of which each key stands once."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise UsageError(f"{key[:100]!r} stands twice")
        found[key] = value
    return found


def refuse_constant(text: str) -> NoReturn:
    """Refuse what Python's parser knows beyond JSON."""
    raise UsageError(f"{text} is not a number")
