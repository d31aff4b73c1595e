"""The variants of an operator: its fused form, the composition that this replaces, or its only one.

Texts, so that they read in a table, a message and a test as they are; records keep `fused` for
their readers: true, false, or null where there is one form.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from opperf.core.errors import UsageError, unknown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Variant = Literal["only", "fused", "unfused"]

RECORDED: Mapping[Variant, bool | None] = {"only": None, "fused": True, "unfused": False}
"""What a record's `fused` says of each."""
OLDER = "unexpected keyword argument 'fused'"
TODAY = (
    'a variant is "only", "fused" or "unfused": '
    "say variant=... in place of fused=None, True or False"
)


def require_variant(variant: Variant) -> Variant:
    """Return the variant, unless it is none, as True and False were before 2026-11-23.

    Raises:
        UsageError: says which variants there are.
    """
    if variant not in RECORDED:
        raise UsageError(unknown("variant", variant, RECORDED))
    return variant


def as_recorded(variant: Variant) -> bool | None:
    """Return what a record's `fused` says of a variant."""
    return RECORDED[require_variant(variant)]


def variant_of(fused: bool | None) -> Variant:
    """Return the variant that a record's `fused` names."""
    if fused is None:
        return "only"
    return "fused" if fused else "unfused"


@contextmanager
def variants_of_today() -> Iterator[None]:
    """Make the error of a plug-in that says `fused=...` one that says what to write.

    Raises:
        UsageError: says the spelling of today.
    """
    try:
        yield
    except TypeError as error:
        if OLDER in str(error):
            raise UsageError(TODAY) from error
        raise
