"""An authority and the certificate of this machine, as `opperf fleet certs` makes them."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from ipaddress import ip_address
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

if TYPE_CHECKING:
    from pathlib import Path

DAY = timedelta(days=1)


def make_certificates(folder: Path, *, of: str = "the fleet of the tests") -> Path:
    """Write ca.pem, and cert.pem and key.pem for loopback; return the folder."""
    folder.mkdir()
    authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    authority = named(of, of, authority_key.public_key())
    authority = authority.add_extension(
        x509.BasicConstraints(ca=True, path_length=0), critical=True
    )
    names = x509.SubjectAlternativeName([
        x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))
    ])  # fmt: skip
    usage = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    own = named("localhost", of, key.public_key()).add_extension(names, critical=False)
    own = own.add_extension(x509.ExtendedKeyUsage(usage), critical=False)
    for name, made in (("ca.pem", authority), ("cert.pem", own)):
        signed = made.sign(authority_key, hashes.SHA256())
        folder.joinpath(name).write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    folder.joinpath("key.pem").write_bytes(private)
    return folder


def named(subject: str, issuer: str, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    """Return a certificate that is still to be signed, valid since yesterday."""
    now = datetime.now(timezone.utc)
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, subject)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - DAY)
        .not_valid_after(now + DAY)
    )
