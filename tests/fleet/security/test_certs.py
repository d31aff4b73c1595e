"""`opperf fleet certs`: an authority and certificates as other programs judge them."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from opperf.core.errors import UsageError

pytest.importorskip("cryptography", reason="not installed: pip install 'opperf[fleet]'")

from cryptography.hazmat.primitives.serialization import Encoding

from opperf.cli import main
from opperf.fleet.security import private
from opperf.fleet.security.certificates import read_host
from opperf.fleet.security.pem import read_certificate

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.fleet.security.authority import Authority
    from tests.conftest import CommandLine

OPENSSL = shutil.which("openssl")


def certs(folder: Path, *words: str) -> int:
    """Carry `opperf fleet certs` out, and return its exit code."""
    return main(["fleet", "certs", str(folder), *words])


def error(capsys: pytest.CaptureFixture[str], folder: Path, *words: str) -> str:
    """Return the one line by which the command is refused."""
    capsys.readouterr()
    assert certs(folder, *words) == 2
    out, said = capsys.readouterr()
    assert out == ""
    assert said.count("\n") == 1
    return said


def openssl(*words: str) -> str:
    """Return what openssl says."""
    if not OPENSSL:
        pytest.skip("openssl is not installed")
    asked = [OPENSSL, *words]
    return subprocess.run(asked, check=True, capture_output=True, text=True, timeout=60).stdout


def test_openssl_takes_what_is_made(tmp_path: Path) -> None:
    """The chain by the strict rules of X.509, for either end, and the names asked for."""
    assert certs(tmp_path, "--host", "Head.example,10.0.0.1", "--host", "fd00::7") == 0
    host = tmp_path / "hosts" / "head.example"
    for purpose in ("sslserver", "sslclient"):
        checks = ["verify", "-x509_strict", "-purpose", purpose, "-CAfile", str(host / "ca.pem")]
        openssl(*checks, "-verify_hostname", "head.example", str(host / "cert.pem"))
        openssl(*checks, "-verify_ip", "10.0.0.1", str(host / "cert.pem"))
        other = tmp_path / "hosts" / "ipv6-fd00--7" / "cert.pem"
        openssl(*checks, "-verify_ip", "fd00::7", str(other))
    said = openssl("x509", "-in", str(tmp_path / "ca/ca.pem"), "-noout", "-text")
    assert "CA:TRUE, pathlen:0" in said
    assert re.search(r"Key Usage: critical\s+Certificate Sign, CRL Sign\n", said)
    said = openssl("x509", "-in", str(host / "cert.pem"), "-noout", "-text")
    assert "CA:FALSE" in said
    assert re.search(r"Key Usage: critical\s+Digital Signature\n", said)


def test_keys_are_for_their_owner_and_nobody_prints_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever the umask; no line of a key is on the terminal."""
    before = os.umask(0)
    try:
        certs(tmp_path / "fleet", "--host", "a")
    finally:
        os.umask(before)
    for path in (tmp_path / "fleet").rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o644 if path.suffix == ".pem" and
                        path.name != "key.pem" else 0o600)  # fmt: skip
    keys = [*(tmp_path / "fleet").rglob("*key*")]
    assert len(keys) == 2
    certs(tmp_path / "fleet")
    out, said = capsys.readouterr()
    for key in keys:
        assert not [line for line in key.read_text().splitlines() if line in out + said]


def test_what_is_there_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A second time changes no file; another host has the same authority."""
    certs(tmp_path, "--host", "a")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()}
    assert certs(tmp_path, "--host", "a", "--host", "b") == 0
    assert {path: path.read_bytes() for path in before} == before
    capsys.readouterr()
    certs(tmp_path)
    lines = capsys.readouterr().out.splitlines()
    assert [re.sub(r"until \S+,", "until then,", line) for line in lines] == [
        f"{tmp_path}/hosts/{name}: until then, for {name}" for name in ("a", "b")
    ]
    assert "is there for a; give --renew to have it for a, c" in error(
        capsys, tmp_path, "--host", "a,c"
    )


def test_a_renewal_keeps_the_key(tmp_path: Path) -> None:
    """One file changes; it is for the same names unless others are given."""
    certs(tmp_path, "--host", "a,10.0.0.1", "--host", "b", "--days", "20")
    folder = tmp_path / "hosts" / "a"
    old = read_host(folder)
    key = (folder / "key.pem").read_bytes()
    assert certs(tmp_path, "--renew", "--days", "40") == 0
    new = read_host(folder)
    assert (folder / "key.pem").read_bytes() == key
    assert new.names == ("a", "10.0.0.1")
    assert new.end - old.end >= timedelta(days=20)
    certs(tmp_path, "--renew", "--host", "a,c")
    assert read_host(folder).names == ("a", "c")
    assert read_host(tmp_path / "hosts" / "b").names == ("b",)


def test_no_certificate_outlives_its_authority(tmp_path: Path) -> None:
    """It would be refused from then on, whatever it says."""
    certs(tmp_path, "--host", "a", "--days", "3650")
    certs(tmp_path, "--host", "a", "--days", "3650", "--renew")
    authority = read_certificate(tmp_path / "ca" / "ca.pem")
    assert read_host(tmp_path / "hosts" / "a").end == authority.not_valid_after_utc


@pytest.mark.parametrize("name", [
    "", "a b", "-a", "a_b", "ä.example", "10.0.0.300", "a..b", "x" * 64, "*.example", "../a",
    "fe80::1%eth0", "a/24", "a,,b",
])  # fmt: skip
def test_what_is_no_name_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Before anything is made."""
    assert "is neither a host's name nor an address" in error(
        capsys, tmp_path / "fleet", f"--host={name}"
    )
    assert not (tmp_path / "fleet").exists()


def test_bad_requests_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Days, hosts given twice or unknown, an authority that is gone or that others can read."""
    fleet = tmp_path / "fleet"
    for days in ("0", "-1", "3651"):
        assert f"--days {days}: allowed are 1 to 3650" in error(capsys, fleet, "--days", days)
    assert "given twice" in error(capsys, fleet, "--host", "a", "--host", "A,b")
    certs(fleet, "--host", "a")
    assert "no host z in" in error(capsys, fleet, "--host", "z", "--renew")
    key = fleet / "ca" / "ca.key"
    key.chmod(0o640)
    assert f"chmod 600 {key}" in error(capsys, fleet, "--host", "b")
    key.chmod(0o600)
    key.write_text("no key")
    assert "no private key in PEM" in error(capsys, fleet, "--host", "b")
    shutil.rmtree(fleet / "ca")
    assert "certificates of hosts and no authority" in error(capsys, fleet, "--host", "b")


def test_several_at_once_make_one_authority(opperf: CommandLine) -> None:
    """Each certificate is of it."""
    with ThreadPoolExecutor(4) as pool:
        ended = [
            *pool.map(lambda n: opperf.run("fleet", "certs", "f", "--host", f"h{n}"), range(4))
        ]
    assert [one.returncode for one in ended] == [0] * 4
    folder = opperf.directory / "f"
    assert {(path / "ca.pem").read_bytes() for path in (folder / "hosts").iterdir()} == {
        (folder / "ca/ca.pem").read_bytes()
    }


@pytest.mark.parametrize("stop_at", range(1, 5))
def test_what_is_cut_off_leaves_all_or_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop_at: int
) -> None:
    """As it is killed, or the disk is full, at any file: the next time makes the rest."""
    written: list[Path] = []
    write = private.write_new

    def fail(path: Path, content: bytes, mode: int) -> None:
        written.append(path)
        if len(written) == stop_at:
            raise OSError(28, "No space left on device", str(path))
        write(path, content, mode)

    monkeypatch.setattr(private, "write_new", fail)
    assert certs(tmp_path, "--host", "a") == 1
    monkeypatch.undo()
    left = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert left in ({*()}, {"ca.key", "ca.pem"})
    (tmp_path / "hosts" / f"{private.UNFINISHED}killed").mkdir(parents=True, exist_ok=True)
    if "ca.key" not in left:
        shutil.rmtree(tmp_path / "hosts")
    assert certs(tmp_path, "--host", "a") == 0
    assert read_host(tmp_path / "hosts" / "a").names == ("a",)
    assert [*tmp_path.rglob(f"{private.UNFINISHED}*")] == []


def test_a_renewal_that_fails_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full."""
    certs(tmp_path, "--host", "a")
    before = read_host(tmp_path / "hosts/a").certificate

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(private, "write_through", fail)
    assert certs(tmp_path, "--host", "a", "--renew") == 1
    assert read_host(tmp_path / "hosts/a").certificate == before


def refusal(folder: Path) -> str:
    """Return the line by which a host's folder is refused."""
    with pytest.raises(UsageError) as caught:
        read_host(folder)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_folder_that_is_not_fit_is_refused(tmp_path: Path, other_authority: Authority) -> None:
    """Each fault by its own line, before anybody connects."""
    certs(tmp_path, "--host", "a", "--host", "b")
    good, folder = tmp_path / "hosts" / "b", tmp_path / "copy"
    assert "it is the authority's, take one of a host: --certs" in refusal(tmp_path)
    assert "has no ca.pem, cert.pem, key.pem; make them" in refusal(tmp_path / "nowhere")
    shutil.copytree(tmp_path / "hosts" / "a", folder)
    (folder / "key.pem").chmod(0o644)
    assert f"chmod 600 {folder}/key.pem" in refusal(folder)
    shutil.copy(good / "key.pem", folder / "key.pem")
    assert "key.pem is not the key of the certificate beside it" in refusal(folder)
    (folder / "key.pem").write_bytes((folder / "cert.pem").read_bytes())
    assert "no private key in PEM" in refusal(folder)
    shutil.copy(good / "key.pem", folder / "key.pem")
    (folder / "cert.pem").write_bytes(b"\0" * 100)
    assert "cert.pem: not a certificate in PEM" in refusal(folder)
    (folder / "cert.pem").write_bytes(b"-" * (1 << 20) + b"-")
    assert "too large" in refusal(folder)
    shutil.copy(good / "cert.pem", folder / "cert.pem")
    shutil.copy(other_authority_file(other_authority, tmp_path), folder / "ca.pem")
    assert "is not signed by the authority" in refusal(folder)
    (folder / "ca.pem").write_text("")
    assert "ca.pem: not a certificate in PEM" in refusal(folder)


def other_authority_file(other: Authority, folder: Path) -> Path:
    """Return a file with the certificate of another authority."""
    path = folder / "other.pem"
    path.write_bytes(other.certificate.public_bytes(Encoding.PEM))
    return path


def test_two_authorities_in_one_file_let_a_fleet_change_over(
    tmp_path: Path, other_authority: Authority
) -> None:
    """The old and the new one, until every host has its new certificate."""
    certs(tmp_path, "--host", "a")
    folder = tmp_path / "hosts" / "a"
    both = other_authority_file(other_authority, tmp_path).read_bytes()
    (folder / "ca.pem").write_bytes(both + (folder / "ca.pem").read_bytes())
    assert read_host(folder).names == ("a",)


def test_an_end_is_told_two_weeks_ahead(tmp_path: Path) -> None:
    """Not a day earlier; afterwards and before its time it is refused."""
    certs(tmp_path, "--host", "a", "--days", "30")
    folder = tmp_path / "hosts" / "a"
    one = read_host(folder)
    hour = timedelta(hours=1)
    assert one.warning(one.end - timedelta(days=14) - hour) is None
    said = one.warning(one.end - timedelta(days=14) + hour)
    assert said is not None
    assert "expires in 13 days" in said
    assert "--host a --renew" in said
    with pytest.raises(UsageError, match="expired on"):
        read_host(folder, one.end + hour)
    with pytest.raises(UsageError, match="set the clock"):
        read_host(folder, one.certificate.not_valid_before_utc - hour)
    read_host(folder, one.end - timedelta(days=30, hours=2))  # a clock that is an hour behind


def test_a_key_that_was_handed_by_the_superuser_may_be_for_a_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Kubernetes hands secrets to a container that is no superuser; never for all."""
    certs(tmp_path, "--host", "a")
    key = tmp_path / "hosts" / "a" / "key.pem"
    key.chmod(0o640)
    with pytest.raises(UsageError, match="chmod 600"):
        private.require_private(key)
    monkeypatch.setattr(os, "getuid", lambda: key.stat().st_uid + 1)
    if key.stat().st_uid == 0:
        private.require_private(key)
        key.chmod(0o644)
        with pytest.raises(UsageError, match="chmod 640"):
            private.require_private(key)
    else:
        with pytest.raises(UsageError, match="chmod 600"):
            private.require_private(key)
