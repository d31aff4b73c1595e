"""A first handshake with a scheduler: what keeps a host out, in a line, before Dask retries."""

from __future__ import annotations

import socket
import ssl
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote_path
from opperf.fleet.security.certificates import CERTIFICATE, KEY
from opperf.fleet.security.transport import parse_scheduler

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 20.0
EXPIRED, NOT_YET, NAMES = 10, 9, (62, 64)
"""Codes of OpenSSL's verification: X509_V_ERR_CERT_HAS_EXPIRED and others."""
PLAIN = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG")
REFUSED = {
    "EXPIRED": "it takes this host's certificate for expired: compare the clocks",
    "UNKNOWN_CA": "this host's certificate is of another authority than the scheduler's",
    "CERTIFICATE_REQUIRED": "it asks for a certificate, and none was shown",
}
"""What a scheduler's alert means, by a part of its name."""


class AbsentSchedulerError(UsageError):
    """Nobody answers at the scheduler's address, now: a worker may wait, a client may not."""


def require_scheduler(address: str, folder: Path, patience: float = PATIENCE) -> None:
    """Shake hands with a scheduler as a host with this folder, which `read_host` found to be fit.

    Raises:
        AbsentSchedulerError: nobody answers.
        UsageError: either end refuses the other, or it speaks no TLS.
    """
    wanted = parse_scheduler(address)
    if not wanted.host or not wanted.port:
        raise UsageError(f"{address}: give host and port of the scheduler")
    context = ssl.create_default_context(cafile=str(folder / "ca.pem"))
    context.load_cert_chain(folder / CERTIFICATE, folder / KEY)
    try:
        with (
            socket.create_connection((wanted.host, wanted.port), timeout=patience) as plain,
            context.wrap_socket(plain, server_hostname=wanted.host) as secured,
        ):
            if not secured.recv(1):  # in TLS 1.3 the scheduler's verdict comes with the first byte
                raise UsageError(f"{address} closed the connection; its log may say why")
    except ssl.SSLCertVerificationError as error:
        raise UsageError(f"{address}: {objection(error, wanted.host, folder)}") from None
    except ssl.SSLError as error:
        raise UsageError(f"{address}: {refusal(error)}") from None
    except (OSError, UnicodeError) as error:
        raise AbsentSchedulerError(
            f"{address}: no scheduler answers there ({reason(error)})"
        ) from None


def objection(error: ssl.SSLCertVerificationError, host: str, folder: Path) -> str:
    """Return why this host does not take the scheduler's certificate."""
    if error.verify_code in NAMES:
        return (
            f"the scheduler's certificate is not for {host}: take a name that it is for, or renew "
            f"it with that name (opperf fleet certs DIR --host NAME,{host} --renew)"
        )
    if error.verify_code == EXPIRED:
        return "the scheduler's certificate has expired: renew it, copy it and restart it"
    if error.verify_code == NOT_YET:
        return "the scheduler's certificate is not valid yet: compare the clocks"
    return (
        f"the scheduler's certificate is of another authority than {quote_path(folder / 'ca.pem')} "
        f"({error.verify_message})"
    )


def refusal(error: ssl.SSLError) -> str:
    """Return why the scheduler does not take this host's certificate, as far as it says."""
    said = error.reason or str(error)
    if said in PLAIN:
        return "what answers there speaks no TLS; if it is a scheduler, start it with --certs"
    meaning = (text for part, text in REFUSED.items() if part in said)
    return next(meaning, f"the handshake failed ({said})")


def reason(error: OSError | UnicodeError) -> str:
    """Return what the system says of a failed connection."""
    if isinstance(error, UnicodeError):
        return "no name of a host"
    return "timed out" if isinstance(error, TimeoutError) else error.strerror or str(error)
