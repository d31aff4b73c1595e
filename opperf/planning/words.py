"""Operators, categories and tags named as words: `opperf run Add Conv2D gemm`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, unknown
from opperf.declaring.registry import operators

if TYPE_CHECKING:
    from collections.abc import Sequence


def filter_of(words: Sequence[str], text: str) -> str:
    """Return the filter of what any of the words names, and of it what the filter `text` leaves.

    Raises:
        UsageError: a word names no operator, category or tag; gives the nearest that is one.
    """
    if not words:
        return text
    kinds = operators().values()
    fields = {
        "name": {kind.name() for kind in kinds},
        "category": {kind.category for kind in kinds},
        "tag": {tag for kind in kinds for tag in kind.tags},
    }
    named = " or ".join(f"{field_of(word, fields)}={word}" for word in words)
    return f"({named}) and ({text})" if text.strip() else named


def field_of(word: str, fields: dict[str, set[str]]) -> str:
    """Return the field of a filter that has this value.

    As it is written: `Gemm` is an operator and `gemm` a category. Else in any case.
    """
    for field, names in fields.items():
        if word in names:
            return field
    for field, names in fields.items():
        if word.lower() in {name.lower() for name in names}:
            return field
    every = set().union(*fields.values())
    raise UsageError(unknown("operator, category or tag", word, every))
