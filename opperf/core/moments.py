"""Moments as people write them: a day, a time, or how long ago."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

from opperf.core.errors import UsageError

AGO = re.compile(r"([0-9]{1,5}) ?([hdwmy])")
EARLIEST = datetime(1, 1, 2, tzinfo=timezone.utc)
LATEST = datetime(9999, 12, 30, tzinfo=timezone.utc)
"""A day within what Python's calendar has, so that every zone can say them."""
FIRST_SECOND, LAST_SECOND = EARLIEST.timestamp(), LATEST.timestamp()
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
            moment = from_iso(text.strip())
        except ValueError:
            pass
        else:
            return to_milliseconds(moment)
    expected = "a date such as 2026-11-21, a time such as 2026-11-21T03:15, or 90d, 2w, 6m, 1y ago"
    raise UsageError(f"expected {expected}, not {text[:60]!r}")


def milliseconds_of(time: str) -> int:
    """Return a record's time in milliseconds since 1970; without a zone it counts as UTC.

    Raises:
        UsageError: It is none, or beyond the calendar.
    """
    try:
        moment = from_iso(time)
    except ValueError:
        raise UsageError(f"{time[:40]!r} is no time such as 2026-11-21T03:15:02+00:00") from None
    return to_milliseconds(moment)


def from_iso(text: str) -> datetime:
    """Return a time in ISO 8601; Python before 3.11 does not know the Z of UTC.

    Raises:
        ValueError: It is none.
    """
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def to_milliseconds(moment: datetime) -> int:
    """Return milliseconds since 1970; without a zone it counts as UTC.

    Raises:
        UsageError: It is not within the years 1 to 9999, whichever the zone.
    """
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    if not EARLIEST <= moment <= LATEST:
        allowed = f"{EARLIEST.date()} to {LATEST.date()} UTC"
        raise UsageError(f"the time {moment.isoformat()} is out of range; allowed: {allowed}")
    return round(moment.timestamp() * 1000)


def day(milliseconds: int) -> str:
    """Return the day, in UTC."""
    return f"{utc(milliseconds):%Y-%m-%d}"


def stamp(milliseconds: int) -> str:
    """Return the second, in UTC."""
    return f"{utc(milliseconds):%Y-%m-%dT%H:%M:%SZ}"


def compact(milliseconds: int) -> str:
    """Return the second, in UTC, as a part of a name."""
    return f"{utc(milliseconds):%Y%m%dT%H%M%S}"


def utc(milliseconds: int) -> datetime:
    """Return the moment; one that no calendar has, as a damaged store may hold, is the nearest."""
    seconds = min(max(milliseconds / 1000, FIRST_SECOND), LAST_SECOND)
    return datetime.fromtimestamp(seconds, timezone.utc)
