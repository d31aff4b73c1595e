"""Whom a message is given to: certificates, and proxies of the environment."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from opperf.specs.reporters.remote import RemoteReporter, UndeliveredError
from tests.specs.reporters.conftest import TOKEN, Results, serve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opperf.specs.reporters.meta import Meta

    MakeMeta = Callable[..., Meta]

CERTIFICATE = Path(__file__).with_name("localhost.pem")
"""Of this machine, with its key, signed by itself; no system trusts it."""


@pytest.fixture
def encrypted(_spool: None) -> Iterator[Results]:
    """Return what a server has been sent that is asked by HTTPS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    yield from serve(Results(), context)


def test_a_server_that_nobody_vouches_for_gets_nothing(
    encrypted: Results, make_meta: MakeMeta, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither records nor token, until its certificate is trusted."""
    target = f"127.0.0.1:{encrypted.port}/log|operators"  # without a scheme it is https
    with pytest.raises(UndeliveredError, match=r"no trust: self.signed certificate"):
        RemoteReporter(target).report([{"name": "a"}], make_meta())
    assert encrypted.requests == []
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    assert "sent 2 of 2" in RemoteReporter(target).report([{"name": "b"}], make_meta())
    assert encrypted.names() == ["a", "b"]
    assert encrypted.requests[0]["Authorization"] == f"Bearer {TOKEN}"


def test_a_proxy_is_asked_for_other_machines_only(
    server: Results, make_meta: MakeMeta, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told the whole address and its own login; what is for this machine it never sees."""
    monkeypatch.setenv("http_proxy", f"http://me:m%20ine@127.0.0.1:{server.port}")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    far = RemoteReporter("http://results.test/log?a=1|operators", allow_http=True)
    assert "sent 1 of 1" in far.report([{"name": "a"}], make_meta())
    assert server.requests[0]["path"] == "http://results.test:80/log?a=1"
    assert server.requests[0]["Proxy-Authorization"] == "Basic bWU6bSBpbmU="
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert "sent 1 of 1" in RemoteReporter(server.target).report([{"name": "b"}], make_meta())
    assert server.requests[1]["path"] == "/log"
    assert "Proxy-Authorization" not in server.requests[1]
