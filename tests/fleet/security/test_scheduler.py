"""Who a real scheduler lets in, and who lets a real scheduler be: each refusal is one line."""

from __future__ import annotations

import asyncio
import socket
import ssl
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.serialization import Encoding
from distributed import Client, Worker
from distributed.comm import CommClosedError, connect
from distributed.security import Security

from opperf.core.errors import UsageError
from opperf.fleet.security.handshake import AbsentSchedulerError, require_scheduler
from opperf.fleet.security.transport import security_of
from tests.fleet.deployment.stand_in import closed_port
from tests.fleet.security.conftest import DAY, running_scheduler

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from opperf.fleet.security.authority import Authority

    Make = Callable[..., Path]

EXPIRED = -0.5 * DAY
"""A lifetime that ended before now and began before that."""


@pytest.fixture
def scheduler(host: Make) -> Iterator[str]:
    """Yield the address of a scheduler whose certificate is for 127.0.0.1."""
    with running_scheduler(host("127.0.0.1", name="scheduler")) as address:
        yield address


def dask_reaches(address: str, security: Security) -> str:
    """Return how Dask itself ends as it connects: a kind of error, or nothing."""

    async def attempt() -> str:
        try:
            arguments = security.get_connection_args("client")
            comm = await connect(address, timeout=120, **arguments)
        except (CommClosedError, OSError) as error:
            return type(error).__name__
        await comm.close()
        return ""

    return asyncio.run(attempt())


def of_dask(folder: Path) -> Security:
    """Return Dask's own security with these files, whatever they are."""
    own = {"tls_client_cert": str(folder / "cert.pem"), "tls_client_key": str(folder / "key.pem")}
    return Security(require_encryption=True, tls_ca_file=str(folder / "ca.pem"), **own)


def refusal(address: str, folder: Path) -> str:
    """Return the one line that a user sees."""
    with pytest.raises(UsageError) as caught:
        require_scheduler(address, folder)
    said = str(caught.value)
    assert "\n" not in said
    assert said.startswith(address)
    return said


def test_a_host_of_the_fleet_is_let_in(scheduler: str, host: Make) -> None:
    """By our handshake, and by Dask's client, over connections that are encrypted."""
    folder = host("worker")
    require_scheduler(scheduler, folder)
    security = security_of(folder, insecure=False, address=scheduler)
    with Client(scheduler, security=security, timeout=60) as client:
        assert client.scheduler_info()["address"] == scheduler


def test_without_a_certificate_nobody_is_let_in(scheduler: str, authority: Authority) -> None:
    """Whoever trusts the authority, but has nothing signed by it, gets no byte."""
    pem = authority.certificate.public_bytes(Encoding.PEM).decode()
    context = ssl.create_default_context(cadata=pem)
    port = int(scheduler.rpartition(":")[2])
    with (
        socket.create_connection(("127.0.0.1", port), timeout=60) as plain,
        pytest.raises(ssl.SSLError, match="CERTIFICATE_REQUIRED"),
        context.wrap_socket(plain, server_hostname="127.0.0.1") as secured,
    ):
        secured.recv(1)


def test_an_expired_certificate_is_refused(scheduler: str, host: Make) -> None:
    """By the scheduler, too: a host whose clock is behind does not get in."""
    folder = host("late", lifetime=EXPIRED)
    assert "takes this host's certificate for expired" in refusal(scheduler, folder)
    assert dask_reaches(scheduler, of_dask(folder))
    with pytest.raises(UsageError, match=r"cert\.pem expired on .*--renew"):
        security_of(folder, insecure=False, address=scheduler)


def test_another_fleets_host_is_refused(
    scheduler: str, host: Make, other_authority: Authority
) -> None:
    """Both ends refuse the other; of one that trusts this scheduler, the scheduler does."""
    folder = host("stranger", of=other_authority)
    assert "is of another authority than" in refusal(scheduler, folder)
    assert dask_reaches(scheduler, of_dask(folder))
    (folder / "ca.pem").write_bytes((folder.parent / "scheduler/ca.pem").read_bytes())
    assert "of another authority than the scheduler's" in refusal(scheduler, folder)
    assert dask_reaches(scheduler, of_dask(folder))


def test_dask_does_not_look_at_names_and_we_do(host: Make) -> None:
    """A scheduler under another name than its certificate's: Dask alone would take it."""
    folder = host("worker")
    with running_scheduler(host("head.example.org")) as address:
        assert dask_reaches(address, of_dask(folder)) == ""
        security = security_of(folder, insecure=False, address=address)
        assert security is not None
        assert dask_reaches(address, security)
        assert "is not for 127.0.0.1" in refusal(address, folder)


def test_an_expired_scheduler_is_refused(host: Make) -> None:
    """Its certificate ran out while it ran."""
    late = host("127.0.0.1", lifetime=EXPIRED)
    with running_scheduler(late) as address:
        assert "has expired" in refusal(address, host("worker"))


def test_plain_tcp_does_not_pass_for_a_scheduler_with_tls(host: Make) -> None:
    """Where tls:// is asked for and plain tcp answers."""
    with running_scheduler(None) as address:
        said = refusal(address.replace("tcp", "tls"), host("worker"))
    assert "speaks no TLS" in said


def test_where_nobody_listens_is_said(host: Make) -> None:
    """A port that is closed, and names that are none."""
    folder = host("worker")
    with closed_port() as port:
        for nobody in (f"tls://127.0.0.1:{port}", f"tls://a..b:{port}"):
            assert "no scheduler answers there" in refusal(nobody, folder)
            with pytest.raises(AbsentSchedulerError):
                require_scheduler(nobody, folder)
    with pytest.raises(UsageError, match="give host and port"):
        require_scheduler("tls://127.0.0.1", folder)


def test_one_who_accepts_and_says_nothing_is_given_up(host: Make) -> None:
    """A port that something else listens on."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tls://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(AbsentSchedulerError, match="timed out"):
            require_scheduler(address, host("worker"), patience=0.2)


def test_a_name_will_do_for_a_worker_and_its_client(host: Make) -> None:
    """The scheduler's certificate has a name only; of the worker's no name is looked at."""
    folder = host("worker")
    with running_scheduler(host("localhost")) as address:
        named = address.replace("127.0.0.1", "localhost")
        security = security_of(folder, insecure=False, address=named)

        async def compute() -> tuple[int, str]:
            async with (
                Worker(named, nthreads=1, security=security, dashboard=False) as worker,
                Client(named, security=security, timeout=60, asynchronous=True) as client,
            ):
                return await client.submit(abs, -7), worker.address

        result, address_of_worker = asyncio.run(compute())
    assert result == 7
    assert address_of_worker.startswith("tls://")
