"""What waits to be sent to one server: on disk before the first attempt, until it is acknowledged.

A process may be killed at any line: a report is written beside its place and renamed; a message
is marked once the server has acknowledged it; a report goes when all its keys are remembered.
"""

from __future__ import annotations

from contextlib import contextmanager
from time import time_ns
from typing import TYPE_CHECKING

from opperf.core.disk import sync_directory, write_through, write_whole
from opperf.core.environment.folders import user_state
from opperf.core.errors import UsageError, quote_path
from opperf.fetching.places import explaining, holding, read_facts
from opperf.specs.reporters.batch import REFUSED, WAITING, Batch
from opperf.specs.reporters.json_bytes import to_json
from opperf.specs.reporters.names import marked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from opperf.specs.reporters.batch import Message
    from opperf.specs.reporters.endpoint import Endpoint

FACTS, LAST_KEYS = "endpoint.json", "sent"
LOCK, SENDER_LOCK = "lock", "sender.lock"
SUFFIX = ".batch"
REMEDY = "free space, or set XDG_STATE_HOME to another folder; the records stay where they are"
MOST_KEYS = 100_000
"""Keys of sent messages that are remembered, once twice as many have come."""


def spool_folder() -> Path:
    """Return where all spools lie."""
    return user_state("spool")


def spools() -> list[Spool]:
    """Return the spools of all endpoints that something was ever sent to."""
    return [Spool(path.parent) for path in sorted(spool_folder().glob(f"*/{FACTS}"))]


class Spool:
    """The reports that wait for one endpoint.

    Args:
        folder: where they lie.

    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.reports = folder / "waiting"
        self.refused = folder / "refused"

    @classmethod
    def of(cls, base: Path, endpoint: Endpoint) -> Spool:
        """Return the spool of an endpoint; a secret URL is not part of its name."""
        return cls(base / marked(str(endpoint)))

    @property
    def endpoint(self) -> str:
        """What `parse_endpoint` takes, as it was given."""
        return str(read_facts(self.folder / FACTS).get("endpoint", ""))

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Hold the lock, and say in a line what the disk refuses."""
        with explaining(f"write into {quote_path(self.folder)}", REMEDY):
            for folder in (self.folder, self.reports):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with holding(self.folder / LOCK):
                yield

    @contextmanager
    def sender(self) -> Iterator[None]:
        """Be the only one who sends; another who does so is waited for."""
        with self.changing():
            pass
        with holding(self.folder / SENDER_LOCK):
            yield

    def add(self, endpoint: Endpoint, messages: Sequence[Message]) -> int:
        """Write down what is to be sent, and return how much of it is new.

        Raises:
            UsageError: the disk does not take it; then nothing of it is there.
        """
        with self.changing():
            for left in self.reports.glob(".*.tmp"):
                left.unlink()
            known = self.sent_keys() | self.keys(self.reports) | self.keys(self.refused)
            new = {each.key: each.line for each in messages if each.key not in known}
            if not new:
                return 0
            write_whole(self.folder / FACTS, to_json({"endpoint": str(endpoint)}))
            path = self.reports / f"{time_ns():020d}-{next(iter(new))}{SUFFIX}"
            write_whole(path, b"".join(new.values()))
            return len(new)

    def batches(self) -> list[Batch]:
        """Return the reports that wait, the oldest first."""
        return [Batch(path) for path in sorted(self.reports.glob(f"[0-9]*{SUFFIX}"))]

    def waiting(self) -> int:
        """Return how many messages wait."""
        return sum(batch.count(WAITING) for batch in self.batches())

    def rejected(self) -> int:
        """Return how many messages the server has refused."""
        paths = [*self.reports.glob(f"*{SUFFIX}"), *self.refused.glob(f"*{SUFFIX}")]
        return sum(Batch(path).count(REFUSED) for path in paths)

    def finish(self, batch: Batch) -> str:
        """Let go of a report of which nothing waits any more, once its keys are remembered.

        What the server has refused is kept. On a full disk the whole report is, whose marks say
        that it was sent, and why is returned.
        """
        if batch.is_damaged() or batch.count(WAITING):
            return ""
        try:
            with self.changing():
                if batch.count(REFUSED):
                    self.refused.mkdir(mode=0o700, exist_ok=True)
                    batch.path.rename(self.refused / batch.path.name)
                else:
                    self.remember([found.message.key for found in batch.messages()])
                    batch.path.unlink()
                    sync_directory(self.reports)
        except UsageError as error:
            return str(error)
        return ""

    def try_refused(self) -> None:
        """Have what the server has refused wait once more."""
        with self.changing():
            for path in sorted(self.refused.glob(f"*{SUFFIX}")):
                batch = Batch(path)
                for found in batch.messages():
                    if found.state == REFUSED:
                        batch.mark(found, WAITING)
                path.rename(self.reports / path.name)

    def remember(self, keys: Sequence[str]) -> None:
        """Add to the keys of what was sent; what a kill has torn stays a line of its own."""
        path = self.folder / LAST_KEYS
        with path.open("ab", buffering=0) as file:
            write_through(file, "".join(f"\n{key}" for key in keys).encode())
        known = path.read_bytes().split()
        if len(known) > 2 * MOST_KEYS:
            write_whole(path, b"\n".join(known[-MOST_KEYS:]))

    def sent_keys(self) -> set[str]:
        """Return the keys of what was sent of late."""
        path = self.folder / LAST_KEYS
        keys = path.read_bytes().split() if path.exists() else ()
        return {key.decode("ascii", "replace") for key in keys}

    @staticmethod
    def keys(folder: Path) -> set[str]:
        """Return the keys of all messages in a folder of reports."""
        batches = (Batch(path) for path in folder.glob(f"*{SUFFIX}"))
        return {found.message.key for batch in batches for found in batch.messages()}
