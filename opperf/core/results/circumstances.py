"""How something was measured, as records of any version say it.

What `marks` takes is an `opperf.core.results.parts.OperatorRecord`, which imports this module and
not the reverse.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.variant import variant_of

if TYPE_CHECKING:
    from collections.abc import Mapping

USUAL: Mapping[str, Any] = MappingProxyType({"process": "laid_out", "cores": None})
"""What each field of a record's operator was before there were others, and is by default."""


def unusual(operator: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the fields that are not as usual; older records have none of them.

    Whatever identifies what was measured adds these, so that usual records are identified as ever.
    """
    return {
        name: value
        for name, usual in USUAL.items()
        if (value := operator.get(name)) is not None and value != usual
    }


def marks(operator: Any) -> list[str]:
    """Return "fused", "2 threads", "cold", "plain", "1 core": what is not as by default."""
    variant, found = variant_of(operator.fused), operator.unusual
    return [
        *([] if variant == "only" else [f"({variant})"]),
        *count_text(operator.threads, "thread", 2),
        *(["cold"] if operator.cache == "cold" else []),
        *(["plain"] if found.get("process") == "plain" else []),
        *count_text(found.get("cores"), "core", 1),
    ]


def count_text(number: object, noun: str, least: int) -> list[str]:
    """Return "2 threads" where there are so many at least."""
    if not isinstance(number, int) or number < least:
        return []
    return [f"{number} {noun}{'s' if number > 1 else ''}"]
