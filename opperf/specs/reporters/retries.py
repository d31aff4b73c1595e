"""How often a server is asked again that may answer differently soon, and after how long."""

from __future__ import annotations

import random
import re
import time
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from http.client import responses
from typing import TYPE_CHECKING, TypeVar

from opperf.specs.reporters.connection import NoReplyError

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.specs.reporters.connection import Reply

Answer = TypeVar("Answer")

PAUSES = (0.5, 1.0, 2.0, 4.0)
"""Seconds before each further attempt; up to half of it more, so that not all come at once."""
LONGEST_PAUSE = 30.0
"""Seconds that a server may ask us to wait; where it asks for more, the next command tries."""
AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""What a server says that may say something else soon."""
SUCCESS = range(200, 300)


class LaterError(NoReplyError):
    """The server has refused what it may accept soon.

    Args:
        reason: what it says.
        pause: seconds that it asks us to wait, None where it does not say.

    """

    def __init__(self, reason: str, pause: float | None = None) -> None:
        super().__init__(reason)
        self.pause = pause


def retry(attempt: Callable[[], Answer]) -> Answer:
    """Return what an attempt returns that is made again, with pauses, while there is no reply.

    Raises:
        NoReplyError: why the last attempt of a bounded number has failed.
    """
    for pause in (*PAUSES, None):
        try:
            return attempt()
        except NoReplyError as error:
            if pause is None:
                raise
            asked = error.pause if isinstance(error, LaterError) else None
            if asked is not None and asked > LONGEST_PAUSE:
                raise NoReplyError(f"{error}, and asks us to wait {asked:.0f} s") from None
        time.sleep(max(asked or 0.0, pause * random.uniform(1, 1.5)))  # noqa: S311 - no secret
    raise AssertionError  # the last attempt returns or raises


def status_words(reply: Reply) -> str:
    """Return the status that a server answers with, in words."""
    return f"it says {reply.status} {responses.get(reply.status, '')}".strip()


def asked_pause(reply: Reply) -> float | None:
    """Return how many seconds a server asks us to wait, None where it does not."""
    text = reply.headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    try:
        then = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    zoned = then if then.tzinfo else then.replace(tzinfo=timezone.utc)
    return max((zoned - datetime.now(timezone.utc)).total_seconds(), 0.0)
