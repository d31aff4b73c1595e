"""Which connections a fleet makes: TLS, or plain tcp where nobody else is."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from opperf.core.errors import UsageError
from opperf.fleet.security.transport import security_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Make = Callable[..., Path]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.0.1", "[::1]", "localhost"])
def test_plain_tcp_stays_on_this_machine(host: str) -> None:
    """Where nobody else can listen, nothing is asked for."""
    assert security_of(None, insecure=False, address=f"tcp://{host}:8786") is None


@pytest.mark.parametrize(
    "host",
    [
        "0.0.0.0",  # noqa: S104 - what is refused
        "[::]",
        "",
        "10.0.0.7",
        "head",
        "localhost.evil.example",
    ],
)
def test_plain_tcp_elsewhere_needs_to_be_asked_for(host: str) -> None:
    """All interfaces are elsewhere, and a name may be anybody's."""
    address = f"tcp://{host}:8786"
    with pytest.raises(UsageError, match="--insecure on a network that is yours alone"):
        security_of(None, insecure=False, address=address)
    assert security_of(None, insecure=True, address=address) is None


def test_tls_needs_certificates_and_plain_tcp_takes_none(host: Make) -> None:
    """Neither is dropped silently; --insecure makes no exception of tls://."""
    for insecure in (False, True):
        with pytest.raises(UsageError, match="needs certificates: --certs DIR"):
            security_of(None, insecure=insecure, address="tls://head:8786")
        with pytest.raises(UsageError, match="plain tcp uses no certificates"):
            security_of(host(f"a{insecure}"), insecure=insecure, address="tcp://127.0.0.1:8786")


@pytest.mark.parametrize("address", [
    "", "head:8786", "http://head:8786", "tls://head:port", "tls://head:99999", "tls://[::1:8786",
    "tls://head:8786/path", "tls://user:word@head:8786", "ucx://head:8786", "tls://head:1?x=1",
])  # fmt: skip
def test_what_is_no_address_is_refused(address: str) -> None:
    """With an example."""
    with pytest.raises(UsageError, match="allowed: such as tls://") as caught:
        security_of(None, insecure=True, address=address)
    assert "\n" not in str(caught.value)


def test_encryption_is_required_and_an_end_is_told(host: Make) -> None:
    """Of either end; a certificate that ends soon is said once."""
    said: list[str] = []
    fresh = security_of(host("a"), insecure=True, address="tls://head:8786", say=said.append)
    assert fresh is not None
    assert fresh.require_encryption
    assert said == []
    soon = host("b", lifetime=timedelta(days=3))
    assert security_of(soon, insecure=False, address="tls://head:8786", say=said.append)
    assert len(said) == 1
    assert "expires in 2 days" in said[0]
