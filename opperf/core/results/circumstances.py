"""How the measuring process was set up, as records of any version say it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

USUAL: Mapping[str, Any] = MappingProxyType({"process": "laid_out", "cores": None})
"""What each field of a record's operator was before there were others, and is by default."""


def unusual(operator: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the fields that are not as usual; older records have none of them.

    Whatever identifies what was measured adds these, so that usual records are identified as ever.
    """
    return {
        name: operator[name] for name, usual in USUAL.items() if operator.get(name, usual) != usual
    }
