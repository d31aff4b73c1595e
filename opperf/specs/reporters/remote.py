"""Results to a server: spooled first, then sent, each exactly once where it keeps their keys."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any

from opperf.core.errors import OpperfError
from opperf.specs.reporters.batch import Message
from opperf.specs.reporters.connection import Connection
from opperf.specs.reporters.delivery import deliver, summary
from opperf.specs.reporters.endpoint import parse_endpoint
from opperf.specs.reporters.spool import Spool, spool_folder
from opperf.specs.reporters.token import read_token

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.specs.reporters.meta import Meta


REST = 60.0
"""Seconds for which a server that was away is not asked again: there is more to be measured."""


class UndeliveredError(OpperfError):
    """Records wait that the server does not take without somebody's help; none is lost."""


class RemoteReporter:
    """Sends each record by POST as JSON, with a key that is the same whenever it is sent.

    What is not acknowledged waits in a spool on disk. Whether a message has arrived whose reply was
    lost cannot be known here: it is sent again with the same key, in the header Idempotency-Key and
    the field `key`, and the server drops what it has.

    Args:
        target: `<domain>/<endpoint>|<category>`.
        token: '$NAME' of a variable or '@FILE'; None for the usual variables.
        allow_http: whether another machine may be asked unencrypted.

    Raises:
        UsageError: target or token are none.

    """

    def __init__(self, target: str, token: str | None = None, *, allow_http: bool = False) -> None:
        self.endpoint = parse_endpoint(target, allow_http=allow_http)
        self.token = read_token(token)
        self.spool = Spool.of(spool_folder(), self.endpoint)
        self.away_until = 0.0

    def report(self, records: Sequence[Mapping[str, Any]], meta: Meta) -> str:
        """Send the records, and what has waited before; not so soon after this has failed.

        Raises:
            UndeliveredError: the server refuses them, or us.
            UsageError: they cannot be written into the spool.
        """
        said = meta.to_dict()
        category = self.endpoint.category
        messages = [Message.of(category, said, record) for record in records]
        self.spool.add(self.endpoint, messages)
        if monotonic() < self.away_until:
            return f"{self.spool.waiting()} records wait for {self.endpoint}, which was away"
        return self.flush()

    def flush(self) -> str:
        """Send what waits, and say in a line what has come of it.

        Raises:
            UndeliveredError: the server refuses some of it, or us.
        """
        connection = Connection(self.endpoint.address.url, self.token)
        delivery = deliver(self.spool, connection)
        self.away_until = monotonic() + REST if delivery.waiting else 0.0
        line = summary(delivery, self.spool)
        if delivery.hopeless:
            raise UndeliveredError(line)
        return line
