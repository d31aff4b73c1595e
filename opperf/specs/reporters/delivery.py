"""Sending what waits: how often it is tried, and what a server's answers mean."""

from __future__ import annotations

import json
import random
import re
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from http.client import responses
from typing import TYPE_CHECKING

from opperf.core.errors import quote_path
from opperf.specs.reporters.batch import REFUSED, SENT, WAITING
from opperf.specs.reporters.connection import Connection, NoReplyError, UntrustedError

if TYPE_CHECKING:
    from opperf.specs.reporters.batch import Batch, Message
    from opperf.specs.reporters.connection import Reply
    from opperf.specs.reporters.spool import Spool

PAUSES = (0.5, 1.0, 2.0, 4.0)
"""Seconds before each further attempt; up to half of it more, so that not all come at once."""
LONGEST_PAUSE = 30.0
"""Seconds that a server may ask us to wait; where it asks for more, the next command tries."""
AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""What a server says that may say something else soon."""
SUCCESS = range(200, 300)
NEVER = frozenset({400, 413, 415, 422})
"""What it says of one message, which it will not take; the others go on."""


@dataclass
class Delivery:
    """What has come of an attempt to send all that waits.

    Args:
        sent: how many messages the server has acknowledged.
        refused: how many it will not take.
        waiting: how many are still to be sent.
        reason: why the rest was not sent, or the last was refused; "" where there is no reason.
        hopeless: whether waiting alone will not help.

    """

    sent: int = 0
    refused: int = 0
    waiting: int = 0
    reason: str = ""
    hopeless: bool = False


class StoppedError(Exception):
    """Nothing more can be sent now; `hopeless` where a person has to do something about it."""

    def __init__(self, reason: str, *, hopeless: bool = False) -> None:
        super().__init__(reason)
        self.hopeless = hopeless


class RefusedError(Exception):
    """The server will not take this message."""


def deliver(spool: Spool, connection: Connection) -> Delivery:
    """Send what waits, the oldest first; what is acknowledged is marked before anything else."""
    delivery = Delivery()
    with spool.sender():
        try:
            for batch in spool.batches():
                send_batch(batch, connection, delivery)
                delivery.reason = spool.finish(batch) or delivery.reason
        except StoppedError as error:
            delivery.reason, delivery.hopeless = str(error), error.hopeless
        finally:
            connection.close()
        delivery.waiting = spool.waiting()
        damaged = [batch.path for batch in spool.batches() if batch.is_damaged()]
    if damaged:
        delivery.reason = (
            f"{quote_path(damaged[0])} is damaged; remove it once you have looked at it"
        )
        delivery.hopeless = True
    return delivery


def send_batch(batch: Batch, connection: Connection, delivery: Delivery) -> None:
    """Send what waits of a report, and mark it.

    Raises:
        StoppedError: the server takes no more.
    """
    for found in batch.messages():
        if found.state != WAITING:
            continue
        try:
            send(connection, found.message)
        except RefusedError as error:
            batch.mark(found, REFUSED)
            delivery.refused += 1
            delivery.reason, delivery.hopeless = str(error), True
        else:
            batch.mark(found, SENT)
            delivery.sent += 1


def send(connection: Connection, message: Message) -> None:
    """Send a message until it is acknowledged, a bounded number of times.

    Raises:
        RefusedError: the server will not take it.
        StoppedError: it has not taken it.
    """
    reason = ""
    for pause in (*PAUSES, None):
        asked = None
        try:
            reply = connection.post(message)
            if is_taken(reply):
                return
            reason = refusal(reply)
            asked = asked_pause(reply)
        except NoReplyError as error:
            reason = str(error)
        except UntrustedError as error:
            raise StoppedError(str(error), hopeless=True) from None
        if pause is None:
            break
        if asked is not None and asked > LONGEST_PAUSE:
            raise StoppedError(f"{reason}, and asks us to wait {asked:.0f} s")
        time.sleep(max(asked or 0.0, pause * random.uniform(1, 1.5)))  # noqa: S311 - no secret
    raise StoppedError(reason)


def is_taken(reply: Reply) -> bool:
    """Return whether a reply acknowledges a message: success, and what a server of results says.

    A proxy's page that asks for a login says success as well.
    """
    if reply.status not in SUCCESS:
        return False
    if not reply.body:
        return True
    try:
        said = json.loads(reply.body)
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and said.get("count", 1) not in (0, False, None)


def refusal(reply: Reply) -> str:
    """Return why a message was not taken, where it may be taken when it is sent again.

    Raises:
        RefusedError: it never will be.
        StoppedError: no message will be.
    """
    words = f"it says {reply.status} {responses.get(reply.status, '')}".strip()
    if reply.status in NEVER:
        raise RefusedError(words)
    if reply.status in SUCCESS:
        return f"{words} without acknowledging the record"
    if reply.status in AGAIN:
        return words
    raise StoppedError(words, hopeless=True)


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


def summary(delivery: Delivery, spool: Spool) -> str:
    """Return what has come of it in a line."""
    whole = delivery.sent + delivery.refused + delivery.waiting
    parts = [f"sent {delivery.sent} of {whole} records to {spool.endpoint}"]
    if delivery.refused:
        parts.append(f"{delivery.refused} refused, in {quote_path(spool.refused)}")
    if delivery.waiting:
        parts.append(
            f"{delivery.waiting} wait in {quote_path(spool.folder)}: `opperf send` sends them"
        )
    line = "; ".join(parts)
    return f"{line} ({delivery.reason})" if delivery.reason else line
