"""A fleet's certificates, and a real scheduler of Dask's that asks for them."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("distributed", reason="Dask is not installed: pip install 'opperf[fleet]'")

from opperf.fleet.security.authority import Authority, make_authority
from opperf.fleet.security.certificates import make_host

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROOT = Path(__file__).parents[3]
DAY = timedelta(days=1)
SCHEDULER = """\
import asyncio, sys
from pathlib import Path
from distributed import Scheduler
from opperf.fleet.security.mutual import MutualSecurity

async def serve():
    folder = Path(sys.argv[1]) if sys.argv[1] else None
    scheme = "tls" if folder else "tcp"
    names = ("ca.pem", "cert.pem", "key.pem")
    security = MutualSecurity.of_files(*(folder / name for name in names)) if folder else None
    async with Scheduler(
        host="127.0.0.1", port=0, protocol=scheme, security=security, dashboard=False
    ) as scheduler:
        print(scheduler.address, flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(serve())
"""
"""It takes whatever certificates it is given, and ends with its standard input."""


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Return an authority, made once."""
    return make_authority(tmp_path_factory.mktemp("fleet") / "ca")


@pytest.fixture
def host(authority: Authority, tmp_path: Path) -> Callable[..., Path]:
    """Return a function that makes the folder of a host, for these names and so long."""

    def make(
        *names: str, lifetime: timedelta = 30 * DAY, of: Authority = authority, name: str = ""
    ) -> Path:
        folder = tmp_path / (name or names[0])
        make_host(folder, of, names, lifetime)
        return folder

    return make


@pytest.fixture
def other_authority(tmp_path: Path) -> Authority:
    """Return the authority of another fleet."""
    return make_authority(tmp_path / "other")


@contextmanager
def running_scheduler(folder: Path | None) -> Iterator[str]:
    """Run a scheduler with the certificates of a folder, or in plain tcp; yields its address."""
    words: Sequence[str] = [sys.executable, "-c", SCHEDULER, str(folder or "")]
    with subprocess.Popen(
        words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    ) as process:  # fmt: skip
        assert process.stdout
        assert process.stderr
        address = process.stdout.readline().strip()
        assert address, process.stderr.read()
        yield address
        process.communicate("")
