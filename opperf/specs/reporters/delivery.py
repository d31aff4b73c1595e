"""Sending what waits, and what a server's answers to it mean."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.core.errors import quote_path
from opperf.specs.reporters.batch import REFUSED, SENT, WAITING
from opperf.specs.reporters.connection import Connection, HttpRequest, NoReplyError, UntrustedError
from opperf.specs.reporters.retries import (
    AGAIN,
    SUCCESS,
    LaterError,
    asked_pause,
    retry,
    status_words,
)

if TYPE_CHECKING:
    from opperf.specs.reporters.batch import Batch, Message
    from opperf.specs.reporters.connection import Reply
    from opperf.specs.reporters.spool import Spool

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

    def attempt() -> None:
        """Send it once."""
        key = {"Idempotency-Key": message.key}
        reply = connection.send(HttpRequest("POST", connection.url, message.body, key))
        if not is_taken(reply):
            raise LaterError(refusal(reply), asked_pause(reply))

    try:
        retry(attempt)
    except NoReplyError as error:
        raise StoppedError(str(error)) from None
    except UntrustedError as error:
        raise StoppedError(str(error), hopeless=True) from None


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
    words = status_words(reply)
    if reply.status in NEVER:
        raise RefusedError(words)
    if reply.status in SUCCESS:
        return f"{words} without acknowledging the record"
    if reply.status in AGAIN:
        return words
    raise StoppedError(words, hopeless=True)


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
