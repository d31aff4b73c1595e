"""The command that starts a worker, however it is started."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError
from opperf.fleet.security.transport import parse_scheduler

if TYPE_CHECKING:
    from pathlib import PurePath


@dataclass(frozen=True, kw_only=True)
class WorkerCommand:
    """What a worker is started with; the store's address comes from OPPERF_STORE on its host."""

    scheduler: str
    certs: PurePath
    """The folder of its certificate, where it lies on the host."""
    tags: tuple[str, ...] = ()
    """Labels by which jobs choose hosts."""
    python: PurePath
    """The interpreter on the host."""

    def check(self) -> None:
        """Refuse what a worker could not start with, or only on some hosts.

        Raises:
            UsageError: names the value and what is allowed.
        """
        address = parse_scheduler(self.scheduler)
        if address.scheme != "tls" or not address.host or address.port is None:
            raise UsageError(f"{self.scheduler}: other hosts need tls://HOST:PORT")
        if address.loopback:
            raise UsageError(
                f"{self.scheduler}: other hosts would look for it on themselves; give its name"
            )
        for path in (self.certs, self.python):
            if not path.is_absolute() or not str(path).isprintable():
                raise UsageError(f"{str(path)!r}: give an absolute path, as it is on the hosts")
        for tag in self.tags:
            if not (tag and tag.isprintable()):
                raise UsageError(f"--tag {tag!r}: give a word without control characters")

    def words(self) -> list[str]:
        """Return the command, word by word."""
        tags = [word for tag in self.tags for word in ("--tag", tag)]
        return [
            str(self.python), "-m", "opperf", "fleet", "worker", "--scheduler", self.scheduler,
            "--certs", str(self.certs), *tags,
        ]  # fmt: skip

    def shell(self) -> str:
        """Return the same as a shell takes it."""
        return shlex.join(self.words())
