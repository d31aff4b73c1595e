"""The port at which the processes of several devices meet."""

from __future__ import annotations

import errno
import socket

from opperf.core.errors import UsageError

MOST = 65535


def port_in_use(port: int) -> str:
    """Return what is said of a port that is in use."""
    return f"--port {port}: is in use; give another, or leave it out for a free one"


def check_port(port: int) -> None:
    """Raise UsageError where a port is none, or cannot be had; 0 is a free one."""
    if not 0 <= port <= MOST:
        raise UsageError(f"--port {port}: must be from 1 to {MOST}, or 0 for a free one")
    if not port:
        return
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise UsageError(port_in_use(port)) from error
            raise UsageError(
                f"--port {port}: {error.strerror}; give another, or leave it out for a free one"
            ) from error
