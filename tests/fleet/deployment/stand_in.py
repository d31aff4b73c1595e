"""What stands in for a Python with opperf on a host: it keeps its words, and stays."""

from __future__ import annotations

import os
import signal
import socket
import time
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import randrange
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATIENCE = 90.0
PRIVILEGED = 1024
STAYING = """\
#!/bin/sh
trap 'echo ended > {folder}/ended; exit 0' TERM
printf '%s\\n' "$@" > {folder}/words.new
echo $$ > {folder}/pid
mv {folder}/words.new {folder}/words
while :; do sleep 0.1; done
"""


def write_stand_in(folder: Path, text: str = STAYING) -> Path:
    """Write the program, which notes in the folder what it was called with."""
    path = folder / "python"
    path.write_text(text.format(folder=folder))
    path.chmod(0o755)
    return path


def wait_until(happened: Callable[[], bool], what: str) -> None:
    """Wait until a function returns true; fails with what others say after a while."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def free_ports(count: int) -> list[int]:
    """Return ports that are free now, for programs that cannot choose one themselves.

    They are below those that the kernel gives to others, who could have them meanwhile.
    """
    first, *_ = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()
    with ExitStack() as stack:
        found: list[int] = []
        while len(found) < count:
            with suppress(OSError):  # in use
                address = ("127.0.0.1", randrange(PRIVILEGED, int(first)))  # noqa: S311
                server = stack.enter_context(socket.create_server(address))
                found.append(server.getsockname()[1])
        return found


@contextmanager
def closed_port() -> Iterator[int]:
    """Yield a port that nobody listens on, and nobody else gets."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@contextmanager
def ending(folder: Path) -> Iterator[None]:
    """End the program that was started, if it was and still runs."""
    try:
        yield
    finally:
        if (folder / "pid").exists() and not (folder / "ended").exists():
            with suppress(ProcessLookupError):
                os.kill(int((folder / "pid").read_text()), signal.SIGTERM)
