"""How hosts of a fleet talk: TLS by certificates of one authority, or openly on loopback."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from distributed.security import Security


def security_of(folder: Path | None, *, insecure: bool, address: str) -> Security | None:
    """Return what Dask is to use at an address, None for plain TCP.

    Raises:
        UsageError: A certificate is missing, or plain TCP would leave this machine.
    """
    from distributed.security import Security

    parts = urlsplit(address)
    if folder is None:
        if parts.scheme == "tls":
            raise UsageError(f"{address}: TLS needs certificates; give --certs DIR")
        if not (insecure or is_loopback(parts.hostname)):
            raise UsageError(f"{address}: plain tcp off loopback; give --certs DIR, or --insecure")
        return None
    ca, certificate, key = (folder / name for name in ("ca.pem", "cert.pem", "key.pem"))
    for path in (ca, certificate, key):
        if not path.is_file():
            raise UsageError(f"there is no {path}; `opperf fleet certs` makes certificates")
    named = dict.fromkeys(("scheduler", "worker", "client"), (str(certificate), str(key)))
    pairs = {f"tls_{role}_cert": pair[0] for role, pair in named.items()}
    keys = {f"tls_{role}_key": pair[1] for role, pair in named.items()}
    return Security(  # type: ignore[no-untyped-call]
        require_encryption=True, tls_ca_file=str(ca), **pairs, **keys
    )


def is_loopback(host: str | None) -> bool:
    """Return whether a host is this machine, by its loopback device."""
    if host is None:
        return False
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
