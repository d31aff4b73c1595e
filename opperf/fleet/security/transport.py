"""With what a fleet's connections are made: TLS with certificates on both ends."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from opperf.core.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from distributed.security import Security

EXAMPLE = "tls://scheduler.example.org:8786"


@dataclass(frozen=True)
class SchedulerAddress:
    """Where a scheduler listens."""

    scheme: str
    host: str
    port: int | None

    @property
    def loopback(self) -> bool:
        """Return whether only this machine reaches it; of names, localhost alone is sure."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


def parse_scheduler(text: str) -> SchedulerAddress:
    """Return the parts of tls://HOST:PORT or tcp://HOST:PORT.

    Raises:
        UsageError: it is nothing of the kind.
    """
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise UsageError(f"{quote(text)}: not an address; allowed: such as {EXAMPLE}") from None
    further = parts.username or parts.password or parts.path.strip("/") or parts.query
    if parts.scheme not in {"tls", "tcp"} or further or parts.fragment:
        raise UsageError(f"{quote(text)}: not a scheduler's address; allowed: such as {EXAMPLE}")
    return SchedulerAddress(parts.scheme, parts.hostname or "", port)


def security_of(
    folder: Path | None,
    *,
    insecure: bool,
    address: str,
    say: Callable[[str], object] | None = None,
) -> Security | None:
    """Return with what Dask listens and connects at an address; None is without TLS.

    `folder` is one that `opperf fleet certs` made for this host; `say` is given a line where its
    certificate soon expires.

    Raises:
        UsageError: certificates are missing or not fit to be used, or plain tcp would leave this
            machine and `insecure` does not allow it.
    """
    wanted = parse_scheduler(address)
    if wanted.scheme == "tcp":
        refuse_plain(wanted, folder, insecure=insecure)
        return None
    if folder is None:
        raise UsageError(
            f"{address} needs certificates: --certs DIR, a folder that `opperf fleet certs` made "
            "for this host"
        )
    from opperf.fleet.security.certificates import CERTIFICATE, KEY, read_host
    from opperf.fleet.security.mutual import MutualSecurity

    own = read_host(folder)
    if say is not None and (line := own.warning()):
        say(line)
    return MutualSecurity.of_files(folder / "ca.pem", folder / CERTIFICATE, folder / KEY)


def refuse_plain(address: SchedulerAddress, folder: Path | None, *, insecure: bool) -> None:
    """Refuse plain tcp where somebody may listen, and where certificates would be of no use.

    Raises:
        UsageError: names what to give instead.
    """
    where = f"tcp://{address.host}"
    if folder is not None:
        raise UsageError(f"{where}: plain tcp uses no certificates; write tls://, or no --certs")
    if not (address.loopback or insecure):
        raise UsageError(
            f"{where} would send results and code in the clear, and whoever reaches it could run "
            "code here: write tls:// and give --certs DIR (opperf fleet certs makes them), or "
            "--insecure on a network that is yours alone"
        )
