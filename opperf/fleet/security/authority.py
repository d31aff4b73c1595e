"""The authority of a fleet, which signs a certificate for each host."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from opperf.core.errors import UsageError, quote_path
from opperf.fleet.security.names import parse_address
from opperf.fleet.security.pem import read_certificate, read_key, require_key
from opperf.fleet.security.private import PUBLIC, SECRET, write_folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.types import CertificatePublicKeyTypes

LIFETIME = timedelta(days=3650)
SKEW = timedelta(days=1)
"""How far a host's clock may be behind the one that signed."""
USAGES = (
    "digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
    "key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only",
)  # fmt: skip
CA_NAME, CA_KEY = "ca.pem", "ca.key"


@dataclass(frozen=True)
class Authority:
    """A certificate that signs others, and its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    def sign(
        self, names: Sequence[str], public: CertificatePublicKeyTypes, lifetime: timedelta
    ) -> x509.Certificate:
        """Return a certificate of a host, as server and as client, no longer than this one's.

        Raises:
            UsageError: this one has expired.
        """
        now = datetime.now(timezone.utc)
        end = self.certificate.not_valid_after_utc
        if end <= now:
            raise UsageError(
                f"the authority expired on {end:%Y-%m-%d}: make a new one in another folder, and "
                "new certificates for all hosts"
            )
        issuer = self.certificate.public_key()
        server_and_client = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
        builder = (
            begin(names[0], public, now, min(now + lifetime, end))
            .issuer_name(self.certificate.subject)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(usage("digital_signature"), critical=True)
            .add_extension(x509.ExtendedKeyUsage(server_and_client), critical=False)
            .add_extension(
                x509.SubjectAlternativeName([general_name(name) for name in names]), critical=False
            )
            .add_extension(authority_key(issuer), critical=False)
        )
        return builder.sign(self.key, hashes.SHA256())


def make_authority(folder: Path) -> Authority:
    """Make an authority in a new folder, with its key for its owner only.

    Its names are not constrained: hosts join later, under names that nobody knows yet.

    Raises:
        OSError: there is one, or it cannot be written.
    """
    key = make_key()
    now = datetime.now(timezone.utc)
    public = key.public_key()
    name = f"opperf fleet {x509.random_serial_number():x}"[:29]
    certificate = (
        begin(name, public, now, now + LIFETIME)
        .issuer_name(common_name(name))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage("key_cert_sign", "crl_sign"), critical=True)
        .add_extension(authority_key(public), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = certificate.public_bytes(Encoding.PEM)
    write_folder(folder, {CA_KEY: (key_pem(key), SECRET), CA_NAME: (pem, PUBLIC)})
    return Authority(certificate, key)


def read_authority(folder: Path) -> Authority:
    """Return the authority of a folder.

    Raises:
        UsageError: a file is missing or is not what it should be, or its key is for others too.
    """
    certificate = read_certificate(folder / CA_NAME)
    path = folder / CA_KEY
    key = read_key(path)
    require_key(key, certificate, path)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise UsageError(f"{quote_path(path)}: not a key that `opperf fleet certs` made")
    return Authority(certificate, key)


def begin(
    name: str, public: CertificatePublicKeyTypes, now: datetime, end: datetime
) -> x509.CertificateBuilder:
    """Return what all certificates have."""
    return (
        x509.CertificateBuilder()
        .subject_name(common_name(name))
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - SKEW)
        .not_valid_after(end)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    )


def common_name(name: str) -> x509.Name:
    """Return a subject; a common name has at most 64 characters, and nobody compares it."""
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:64])])


def general_name(name: str) -> x509.GeneralName:
    """Return a name as a certificate has it."""
    address = parse_address(name)
    return x509.DNSName(name) if address is None else x509.IPAddress(address)


def usage(*names: str) -> x509.KeyUsage:
    """Return for what a key may be used: this, and nothing else."""
    return x509.KeyUsage(**{name: name in names for name in USAGES})


def authority_key(public: CertificatePublicKeyTypes) -> x509.AuthorityKeyIdentifier:
    """Return which key signs."""
    return x509.AuthorityKeyIdentifier.from_issuer_public_key(public)  # type: ignore[arg-type]


def make_key() -> ec.EllipticCurvePrivateKey:
    """Return a new private key."""
    return ec.generate_private_key(ec.SECP256R1())


def key_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return a key as its file holds it."""
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
