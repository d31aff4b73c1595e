"""How something was measured, as records of any version say it."""

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


def marks(operator: Mapping[str, Any]) -> list[str]:
    """Return "fused", "2 threads", "cold", "plain", "1 core": what is not as by default."""
    fused, found = operator.get("fused"), unusual(operator)
    return [
        *([{True: "(fused)", False: "(unfused)"}[fused]] if isinstance(fused, bool) else []),
        *counted(operator.get("threads"), "thread", 2),
        *(["cold"] if operator.get("cache") == "cold" else []),
        *(["plain"] if found.get("process") == "plain" else []),
        *counted(found.get("cores"), "core", 1),
    ]


def counted(number: object, noun: str, least: int) -> list[str]:
    """Return "2 threads" where there are so many at least."""
    if not isinstance(number, int) or number < least:
        return []
    return [f"{number} {noun}{'s' if number > 1 else ''}"]
