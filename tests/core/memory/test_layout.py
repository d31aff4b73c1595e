"""Processes at fixed addresses."""

from __future__ import annotations

import subprocess
import sys

import pytest

from opperf.core.memory import layout
from opperf.core.memory.layout import ADDR_NO_RANDOMIZE, ASK, fixed_layout, personality

WHERE = "import ctypes; print(id(object()), ctypes.addressof(ctypes.c_int()))"


def where() -> str:
    """Return where a fresh process's objects lie."""
    command = [sys.executable, "-c", WHERE]
    environ = {"PYTHONHASHSEED": "0"}
    run = subprocess.run(command, env=environ, capture_output=True, check=True, text=True)
    return run.stdout


def test_processes_lie_at_the_same_addresses() -> None:
    """Those started meanwhile do, and this one's own setting is as it was."""
    before = personality(ASK)
    with fixed_layout():
        if not (personality(ASK) or 0) & ADDR_NO_RANDOMIZE:
            pytest.skip("this system does not let processes lie at fixed addresses")
        assert len({where() for _ in range(3)}) == 1
    assert personality(ASK) == before


def test_the_setting_is_restored_after_an_error() -> None:
    """A process that cannot be started leaves nothing behind either."""
    before = personality(ASK)
    with pytest.raises(FileNotFoundError), fixed_layout():
        subprocess.run(["/no/such/program"], check=False)
    assert personality(ASK) == before


@pytest.mark.parametrize("found", [None, -1])
def test_where_it_is_forbidden_nothing_changes(
    monkeypatch: pytest.MonkeyPatch, found: int | None
) -> None:
    """Another system has no such call; a container may refuse it."""

    class Library:
        """A C library."""

        if found is not None:
            personality = staticmethod(type("Call", (), {"__call__": lambda *_: found})())

    monkeypatch.setattr(layout.ctypes, "CDLL", lambda _: Library())
    assert personality(ASK) is None
    with fixed_layout():
        pass
