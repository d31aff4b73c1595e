"""Dask's TLS, and beside it the check that a scheduler is the one that was named.

Dask (2026.8.0) asks either end for a certificate of the fleet's authority and refuses those that
have expired, but never looks at their names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from distributed.security import Security

if TYPE_CHECKING:
    from pathlib import Path

ROLES = ("client", "scheduler", "worker")


class MutualSecurity(Security):
    """Certificates on both ends; clients and workers check the scheduler's name as well.

    A process that listens as a scheduler checks no names: it reaches itself, and workers by the
    addresses that they have told it.
    """

    schedules = False

    @classmethod
    def of_files(cls, authority: Path, certificate: Path, key: Path) -> MutualSecurity:
        """Return the same certificate for every role; its files are read as a process starts."""
        own = {f"tls_{role}_cert": str(certificate) for role in ROLES}
        keys = {f"tls_{role}_key": str(key) for role in ROLES}
        return cls(require_encryption=True, tls_ca_file=str(authority), **own, **keys)

    def get_listen_args(self, role: str) -> dict[str, Any]:
        """Return Dask's arguments for listening."""
        self.schedules = self.schedules or role == "scheduler"
        arguments: dict[str, Any] = super().get_listen_args(role)  # type: ignore[no-untyped-call]
        return arguments

    def get_connection_args(self, role: str) -> dict[str, Any]:
        """Return Dask's arguments for connecting, in whose context names count."""
        arguments: dict[str, Any] = super().get_connection_args(role)  # type: ignore[no-untyped-call]
        arguments["ssl_context"].check_hostname = not self.schedules and role != "scheduler"
        return arguments
