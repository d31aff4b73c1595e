"""The certificate of a host: made, renewed, read and checked before anything connects with it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import Encoding

from opperf.core.errors import UsageError, quote_path
from opperf.fleet.security.authority import CA_NAME, Authority, key_pem, make_key
from opperf.fleet.security.pem import read_authorities, read_certificate, read_key, require_key
from opperf.fleet.security.private import PUBLIC, SECRET, replace_file, write_folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

CERTIFICATE, KEY = "cert.pem", "key.pem"
HOSTS = "hosts"
"""Where `opperf fleet certs` puts the folders of hosts."""
AHEAD = timedelta(days=14)


@dataclass(frozen=True)
class HostCertificate:
    """What a host shows to the others; `folder` holds it, its key and the authority."""

    folder: Path
    certificate: x509.Certificate

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names and addresses that it is for."""
        try:
            alternatives = self.certificate.extensions.get_extension_for_class(
                x509.SubjectAlternativeName
            ).value
        except x509.ExtensionNotFound:
            return ()
        addresses = map(str, alternatives.get_values_for_type(x509.IPAddress))
        return (*alternatives.get_values_for_type(x509.DNSName), *addresses)

    @property
    def end(self) -> datetime:
        """Return until when it is valid."""
        return self.certificate.not_valid_after_utc

    def warning(self, now: datetime | None = None) -> str | None:
        """Return a line where it expires within 14 days, None before."""
        left = self.end - (now or datetime.now(timezone.utc))
        if left > AHEAD:
            return None
        return (
            f"the certificate in {quote_path(self.folder)} expires in {left.days} days, on "
            f"{self.end:%Y-%m-%d}; renew it: opperf fleet certs DIR --host {self.names[0]} --renew"
        )


def make_host(
    folder: Path, authority: Authority, names: Sequence[str], lifetime: timedelta
) -> HostCertificate:
    """Make a host's key and certificate in a new folder, the authority's certificate beside them.

    Raises:
        UsageError: the authority has expired.
        OSError: there is such a folder, or it cannot be written.
    """
    key = make_key()
    certificate = authority.sign(names, key.public_key(), lifetime)
    files = {
        CA_NAME: (authority.certificate.public_bytes(Encoding.PEM), PUBLIC),
        CERTIFICATE: (certificate.public_bytes(Encoding.PEM), PUBLIC),
        KEY: (key_pem(key), SECRET),
    }
    write_folder(folder, files)
    return HostCertificate(folder, certificate)


def renew_host(
    folder: Path, authority: Authority, names: Sequence[str], lifetime: timedelta
) -> HostCertificate:
    """Sign a host's key again, for these names; the key stays, so that none has to travel.

    Raises:
        UsageError: the folder's key cannot be read, or the authority has expired.
        OSError: it cannot be written; the old certificate stands.
    """
    key = read_key(folder / KEY)
    certificate = authority.sign(names, key.public_key(), lifetime)  # type: ignore[arg-type]
    replace_file(folder / CERTIFICATE, certificate.public_bytes(Encoding.PEM), PUBLIC)
    return HostCertificate(folder, certificate)


def read_host(folder: Path, now: datetime | None = None) -> HostCertificate:
    """Return the certificate of a folder that is fit to be used: whole, valid and of its authority.

    Raises:
        UsageError: it is not; one line says what, and what to do.
    """
    require_host_folder(folder)
    certificate = read_certificate(folder / CERTIFICATE)
    require_key(read_key(folder / KEY), certificate, folder / KEY)
    authorities = read_authorities(folder / CA_NAME)
    issuers = [one for one in authorities if is_signed_by(certificate, one)]
    if not issuers:
        raise UsageError(
            f"{quote_path(folder / CERTIFICATE)} is not signed by the authority in "
            f"{quote_path(folder / CA_NAME)}: copy all three files of a folder that "
            "`opperf fleet certs` made"
        )
    require_valid(certificate, folder / CERTIFICATE, now)
    require_valid(issuers[-1], folder / CA_NAME, now)
    return HostCertificate(folder, certificate)


def require_host_folder(folder: Path) -> None:
    """Refuse a folder without certificates; says which one to take where it is the authority's.

    Raises:
        UsageError: a file of a host is missing.
    """
    missing = [name for name in (CA_NAME, CERTIFICATE, KEY) if not (folder / name).exists()]
    if not missing:
        return
    hosts = folder / HOSTS
    inside = sorted(path.name for path in hosts.iterdir()) if hosts.is_dir() else []
    remedy = (
        f"it is the authority's, take one of a host: --certs {quote_path(hosts / inside[0])}"
        if inside
        else "make them where the authority is (opperf fleet certs DIR --host NAME), and copy "
        "DIR/hosts/NAME here"
    )
    raise UsageError(f"{quote_path(folder)} has no {', '.join(missing)}; {remedy}")


def is_signed_by(certificate: x509.Certificate, authority: x509.Certificate) -> bool:
    """Return whether an authority signed a certificate."""
    try:
        certificate.verify_directly_issued_by(authority)
    except (InvalidSignature, TypeError, ValueError):
        return False
    return True


def require_valid(certificate: x509.Certificate, path: Path, now: datetime | None) -> None:
    """Refuse a certificate before and after its time.

    Raises:
        UsageError: says when it is valid, and what to type.
    """
    moment = now or datetime.now(timezone.utc)
    begin, end = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    if moment > end:
        raise UsageError(
            f"{quote_path(path)} expired on {end:%Y-%m-%d}; renew it where the authority is: "
            "opperf fleet certs DIR --host NAME --renew"
        )
    if moment < begin:
        raise UsageError(
            f"{quote_path(path)} is valid from {begin:%Y-%m-%d %H:%M} on, and the clock here says "
            f"{moment:%Y-%m-%d %H:%M} UTC; set the clock"
        )
