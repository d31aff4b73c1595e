"""Certificates and keys as their files hold them; what is wrong with one is said in a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
)

from opperf.core.errors import UsageError, quote_path
from opperf.fleet.security.private import require_private

if TYPE_CHECKING:
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes

LARGEST = 1 << 20
"""Bytes of a file that is read; certificates have some thousand."""


def read_certificate(path: Path) -> x509.Certificate:
    """Return the first certificate of a file.

    Raises:
        UsageError: there is no such file, or no certificate in it.
    """
    content = read_file(path)
    try:
        return x509.load_pem_x509_certificate(content)
    except ValueError:
        raise UsageError(f"{quote_path(path)}: not a certificate in PEM") from None


def read_authorities(path: Path) -> list[x509.Certificate]:
    """Return all certificates of a file: two authorities while hosts change from one to another.

    Raises:
        UsageError: there is no such file, or no certificate in it.
    """
    content = read_file(path)
    try:
        return x509.load_pem_x509_certificates(content)
    except ValueError:
        raise UsageError(f"{quote_path(path)}: not a certificate in PEM") from None


def read_key(path: Path) -> PrivateKeyTypes:
    """Return a private key that nobody else may read.

    Raises:
        UsageError: there is none, others may read it, or it has a password.
    """
    content = read_file(path)
    require_private(path)
    try:
        return load_pem_private_key(content, password=None)
    except (ValueError, TypeError):
        raise UsageError(f"{quote_path(path)}: no private key in PEM without password") from None


def require_key(key: PrivateKeyTypes, certificate: x509.Certificate, path: Path) -> None:
    """Refuse a key that is of another certificate.

    Raises:
        UsageError: names the file of the key, `path`.
    """
    own, certified = key.public_key(), certificate.public_key()
    form = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    if own.public_bytes(*form) != certified.public_bytes(*form):
        raise UsageError(f"{quote_path(path)} is not the key of the certificate beside it")


def read_file(path: Path) -> bytes:
    """Return what a file holds.

    Raises:
        UsageError: it cannot be read, or is too large for what it should hold.
    """
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{quote_path(path)}: {error.strerror}") from None
    if len(content) > LARGEST:
        raise UsageError(f"{quote_path(path)}: too large for a certificate or a key")
    return content
