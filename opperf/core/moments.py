"""Moments as people write them: a day, a time, or how long ago."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

from opperf.core.errors import UsageError

AGO = re.compile(r"([0-9]{1,5}) ?([hdwmy])")
HOURS = {"h": 1, "d": 24, "w": 7 * 24, "m": 30 * 24, "y": 365 * 24}


def parse_moment(text: str, now: datetime | None = None) -> int:
    """Return milliseconds since 1970 of "2026-11-21", "2026-11-21T03:15", "90d" ago or "2w" ago.

    A time without a zone is UTC; a month counts 30 days and a year 365.

    Raises:
        UsageError: It is none of these.
    """
    ago = AGO.fullmatch(text.strip())
    if ago:
        age = timedelta(hours=int(ago[1]) * HOURS[ago[2]])
        try:
            return to_milliseconds((now or datetime.now(timezone.utc)) - age)
        except OverflowError:
            pass
    else:
        try:
            return to_milliseconds(datetime.fromisoformat(text.strip().replace("Z", "+00:00")))
        except ValueError:
            pass
    expected = "a date such as 2026-11-21, a time such as 2026-11-21T03:15, or 90d, 2w, 6m, 1y ago"
    raise UsageError(f"expected {expected}, not {text[:60]!r}")


def to_milliseconds(moment: datetime) -> int:
    """Return milliseconds since 1970; without a zone it counts as UTC."""
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return round(moment.timestamp() * 1000)


def day(milliseconds: int) -> str:
    """Return the day, in UTC."""
    return f"{datetime.fromtimestamp(milliseconds / 1000, timezone.utc):%Y-%m-%d}"


def stamp(milliseconds: int) -> str:
    """Return the second, in UTC."""
    return f"{datetime.fromtimestamp(milliseconds / 1000, timezone.utc):%Y-%m-%dT%H:%M:%SZ}"


def compact(milliseconds: int) -> str:
    """Return the second, in UTC, as a part of a name."""
    return f"{datetime.fromtimestamp(milliseconds / 1000, timezone.utc):%Y%m%dT%H%M%S}"
