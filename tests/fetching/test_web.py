"""Requests: who gets a login, and where a redirect may lead."""

from __future__ import annotations

import base64
import io
from email.message import Message
from typing import TYPE_CHECKING
from urllib.request import Request

import pytest

from opperf.core.errors import UsageError
from opperf.fetching.web import SafeRedirects, open_url

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fetching.conftest import Script

LOGIN = f"Basic {base64.b64encode(b'me:mine').decode()}"


@pytest.fixture
def netrc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file of logins, one of them for everybody else."""
    path = tmp_path / "netrc"
    path.write_text("machine 127.0.0.1 login me password mine\ndefault login you password yours\n")
    monkeypatch.setenv("NETRC", str(path))
    return path


@pytest.mark.usefixtures("netrc")
def test_a_login_is_for_its_host(server: Script) -> None:
    """It comes from the file, and goes along with no redirect to another host."""
    server.files["/a"] = b"a"
    server.faults = ["redirect /a", "", f"redirect http://localhost:{server.port}/a"]
    for _ in range(2):
        with open_url(server.url("/b"), {}) as response:
            assert response.read() == b"a"
    assert server.asked("Authorization") == [LOGIN, LOGIN, LOGIN, None]


def test_a_login_is_not_sent_in_the_open(netrc: Path) -> None:
    """By http:// to another machine, nor to one that the file does not name."""
    netrc.write_text("machine example.org login me password mine\n")
    found = [
        follow("https://example.org/a", url) for url in ("https://example.org/b", "https://other/")
    ]
    assert [request.get_header("Authorization") for request in found] == [LOGIN, None]
    request = follow("http://example.org/a", "http://example.org/b")
    assert request.get_header("Authorization") is None


def follow(before: str, after: str) -> Request:
    """Return the request that follows a redirect."""
    headers = Message()
    found = SafeRedirects().redirect_request(
        Request(before),  # noqa: S310 - nothing is opened
        io.BytesIO(), 302, "Found", headers, after,  # type: ignore[arg-type]
    )  # fmt: skip
    assert found is not None
    return found


@pytest.mark.parametrize("after", ["http://host/b", "ftp://host/b"])
def test_a_redirect_to_less_safety(after: str) -> None:
    """From https:// nothing else is followed."""
    with pytest.raises(UsageError, match=r"host redirects from https to .*, which is not followed"):
        follow("https://host/a", after)


def test_a_damaged_file_of_logins(server: Script, netrc: Path) -> None:
    """One line that quotes none of it."""
    netrc.write_text("machine 127.0.0.1 login me pass mine\n")
    with pytest.raises(UsageError, match="netrc, line 1: no netrc file") as raised:
        open_url(server.url("/a"), {})
    assert "mine" not in str(raised.value)
    netrc.unlink()
    with pytest.raises(UsageError, match=r"cannot read .*netrc"):
        open_url(server.url("/a"), {})
