"""What the tests of watched commands share: whether anything of a command is left."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

NAME = "WATCHED_BY_A_TEST"
PATIENCE = 120.0


@pytest.fixture
def marked() -> tuple[dict[str, str | None], Callable[[], list[int]]]:
    """Return variables for a command, and a function that finds the living who have them."""
    value = uuid4().hex
    wanted = f"{NAME}={value}".encode()

    def left() -> list[int]:
        deadline = time.monotonic() + PATIENCE
        while (found := [*living(wanted)]) and time.monotonic() < deadline:
            time.sleep(0.05)
        return found

    return {NAME: value}, left


def living(variable: bytes) -> list[int]:
    """Return the processes that have a variable in their environment; the dead have none."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            if variable in (place / "environ").read_bytes().split(b"\0"):
                found.append(int(place.name))
    return [pid for pid in found if pid != os.getpid()]
