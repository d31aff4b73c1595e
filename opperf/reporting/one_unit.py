"""Times of one column in one unit, which its head names."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from opperf.core.units import SECONDS, WIDEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.reporting.layout import Column

UNITS = {name: power for power, name in SECONDS.items()}
TIME = re.compile(
    rf"(?P<mark>(?:[!<] )?)(?P<number>[0-9.]+(?:e[+-]?[0-9]+)?) (?P<unit>{'|'.join(UNITS)})"
    r"(?P<more>(?: .*)?)"
)
"""A time as `format_seconds` writes it, a mark before it and what it may be off by behind it."""
DECADES = 3
"""Digits before the point up to which a number reads well, and none before it reads worse."""


def is_time(text: str) -> bool:
    """Return whether a text is a time with its unit."""
    return TIME.fullmatch(text) is not None


def in_one_unit(texts: Sequence[str]) -> tuple[list[str], str]:
    """Return the texts with all times among them in one unit, without it, and the unit.

    The point alone is moved, so that a time keeps the digits that its precision supports: between
    20.0 ns and 3.00 s stand 0.0200 and 3000000, in us. The points stand below each other. The unit
    is the one in which the numbers together are nearest to what reads well, 1 to 999. Other texts
    stay as they are; the unit is "" where no text is a time.
    """
    found = [TIME.fullmatch(text) for text in texts]
    times = [Decimal(match["number"]).scaleb(UNITS[match["unit"]]) for match in found if match]
    if not times:
        return [*texts], ""
    power = min(SECONDS, key=lambda power: (sum(distance(time, power) for time in times), -power))
    numbers = iter([number_text(time.scaleb(-power)) for time in times])
    moved = [next(numbers) if match else "" for match in found]
    behind = max(len(tail(number)) for number in moved)
    cells = [
        match["mark"] + number + " " * (behind - len(tail(number))) + match["more"]
        if match
        else text
        for text, match, number in zip(texts, found, moved, strict=True)
    ]
    return cells, SECONDS[power]


def distance(time: Decimal, power: int) -> int:
    """Return by how many digits a time in this unit is longer than one from 1 to 999."""
    if not time:
        return 0
    digits = time.adjusted() - power
    return -digits if digits < 0 else max(digits - DECADES + 1, 0)


def number_text(number: Decimal) -> str:
    """Return a number by its digits, with an exponent where it is very large or small."""
    return f"{number:f}" if abs(number.adjusted()) <= WIDEST else f"{number:e}"


def tail(number: str) -> str:
    """Return what stands from the point on."""
    return number[len(number.partition(".")[0]) :]


def with_unit(column: Column) -> Column:
    """Return a column of times in one unit, which its title names."""
    cells, unit = in_one_unit(column.cells)
    return replace(column, cells=cells, unit=unit)
