"""Quantities as people write them; inside opperf there are only seconds, bytes and FLOP.

Every `format_` function returns "-" for None, because missing and zero are two things.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

MISSING = "-"
SECONDS = {-9: "ns", -6: "us", -3: "ms", 0: "s"}
PREFIXES = {0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P", 18: "E"}
PARTS = {-9: "n", -6: "u", -3: "m"}
COUNT = "1"
"""The unit of what is counted, or is a share."""
KILO = 1000
WIDEST = 6
"""Digits before the point, or zeros after it, from which a number is written as 1.00e+07."""

NUMBER = re.compile(r"([0-9]{1,20}\.?[0-9]{0,30}|\.[0-9]{1,30})(e[+-]?[0-9]{1,2})? ?([a-z]*)")
TIME_FACTORS = {"": "1", "ms": "0.001", "s": "1", "m": "60", "h": "3600"}
SI_FACTORS = {"": "1", "b": "1", "kb": "1e3", "mb": "1e6", "gb": "1e9", "tb": "1e12"}
IEC_FACTORS = {"kib": "1024", "mib": f"{2**20}", "gib": f"{2**30}", "tib": f"{2**40}"}
LONGEST = 10**6
"""Seconds: poll(2) takes milliseconds in a C int, which ends at 2.1e9."""
LARGEST = 2**63 - 1
"""Bytes: setrlimit(2) takes no more."""


def format_seconds(seconds: float | None, precision: float | None = None) -> str:
    """Return a time such as "31.2 ms", with no digit that its precision does not support.

    Args:
        seconds: The time, or None where nothing was measured.
        precision: The relative half-width of its interval; None stands for three digits.
    """
    return MISSING if seconds is None else scale(seconds, SECONDS, supported_digits(precision))


def format_bytes(count: int | None) -> str:
    """Return a size such as "4.19 MB", in powers of 1000."""
    if count is not None and abs(count) < KILO:
        return f"{count} B"
    return format_rate(count, "B")


def format_rate(value: float | None, unit: str) -> str:
    """Return a value with a prefixed unit to three digits, such as "68.8 GFLOP/s"."""
    if value is None:
        return MISSING
    return scale(value, {power: prefix + unit for power, prefix in PREFIXES.items()}, 3)


def format_quantity(value: float | None, unit: str) -> str:
    """Return a value of any unit, such as "31.2 ms", "4.19 MB", "1.23 M" or "5.20 mJ"."""
    if value is None:
        return MISSING
    if unit == "s":
        return format_seconds(value)
    if abs(value) < KILO and float(value).is_integer():
        return f"{value:.0f} {unit.removeprefix(COUNT)}".rstrip()
    if unit == COUNT:
        return format_rate(value, "").rstrip()
    units = PARTS | PREFIXES
    return scale(value, {power: prefix + unit for power, prefix in units.items()}, 3)


def format_precision(precision: float | None, *, ascii_only: bool = False) -> str:
    """Return a relative half-width such as "±0.4%", or "+-0.4%" where only ASCII can be shown."""
    if precision is None:
        return MISSING
    return f"{'+-' if ascii_only else '±'}{percent(100 * precision)}%"


def parse_seconds(text: str) -> float:
    """Return the seconds in "90", "90s", "500ms", "1.5m" or "2h".

    Raises:
        UsageError: It is no such time, is not positive, or is above a million seconds.
    """
    expected = "a time above 0 and up to 1e6 s, such as 90, 90s, 500ms, 1.5m or 2h"
    return float(parse_quantity(text, TIME_FACTORS, LONGEST, expected))


def share_of(text: str) -> float | None:
    """Return the share that "2%" or "0.02" stands for, None where it is no number."""
    try:
        return float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        return None


def parse_bytes(text: str) -> int:
    """Return the bytes in "4GB" (1000**3), "512MiB" (1024**2) or "4000000", rounded up.

    Raises:
        UsageError: It is no such size, is not positive, or does not fit into 63 bits.
    """
    expected = "a size above 0 and below 2**63 bytes, such as 4GB, 512MiB or 4000000"
    return math.ceil(parse_quantity(text, SI_FACTORS | IEC_FACTORS, LARGEST, expected))


def supported_digits(precision: float | None) -> int:
    """Return how many significant digits an interval of this relative half-width supports."""
    if precision is None:
        return 3
    if not precision < 1:  # NaN too
        return 1
    return min(4, 1 + math.floor(-math.log10(max(precision, 1e-4))))


def coarsest(seconds: float, precision: float | None) -> float | None:
    """Return the relative step to which a time may be rounded: no more than half its interval.

    A digit stands for more where the number begins with a 1: 13.2 us ±11% must not read 10 us.
    """
    if precision is None or seconds == 0:
        return precision
    return precision * abs(seconds) / math.pow(10, 1 + math.floor(math.log10(abs(seconds))))


def scale(value: float, units: Mapping[int, str], digits: int) -> str:
    """Return the value to so many digits in the unit, by power of ten, that suits it best."""
    if value == 0 or not math.isfinite(value):
        return f"{value + 0.0:.0f} {units[0]}"  # never -0
    rounded = Decimal(f"{value:.{digits - 1}e}")  # first, so that 999.9 us becomes 1.00 ms
    power = min(max(rounded.adjusted() // 3 * 3, min(units)), max(units))
    number = rounded.scaleb(-power)
    style = "f" if abs(number.adjusted()) <= WIDEST else "e"
    return f"{number:{style}} {units[power]}"


def percent(value: float) -> str:
    """Return one decimal, none from 10 on, and never 0 for what is not 0."""
    if not round(value, 1):
        return f"{value:.1g}"
    tenths = f"{value:.1f}"
    return tenths if len(tenths) <= len("9.9") else f"{value:.0f}"


def parse_quantity(text: str, factors: Mapping[str, str], most: int, expected: str) -> Decimal:
    """Return number times unit, above 0 and up to `most`, or raise saying what was expected."""
    match = NUMBER.fullmatch(text.strip().lower())
    factor = factors.get(match[3]) if match else None
    if match and factor:
        value = Decimal(match[1] + (match[2] or "")) * Decimal(factor)
        if 0 < value <= most:
            return value
    raise UsageError(f"expected {expected}, not {text!r}")
