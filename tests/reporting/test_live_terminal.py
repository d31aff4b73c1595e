"""What is printed while a run goes on, as a terminal of 40 columns gets it."""

from __future__ import annotations

import fcntl
import os
import struct
import termios
from typing import TYPE_CHECKING, Any

import pytest

from opperf.reporting.live import live_lines
from opperf.reporting.progress import Progress
from opperf.reporting.text import cell_width, columns

if TYPE_CHECKING:
    from collections.abc import Callable

WIDTH = 40
NAMES = ("Add", "畳み込みニューラルネットワーク", "Größe" * 20, "e\u0301" * 60)


@pytest.mark.parametrize(
    "name", ["Add", "畳み込みニューラルネットワーク", "Größe" * 20, "e\u0301" * 60]
)
@pytest.mark.parametrize("status", ["ok", "noisy", "crashed"])
def test_no_live_line_wraps(
    make: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, name: str, status: str
) -> None:
    """Neither a finished operator's nor the bar's, whatever characters a name has."""
    monkeypatch.delenv("COLUMNS", raising=False)
    master, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, WIDTH, 0, 0))
    with os.fdopen(terminal, "w", encoding="utf-8") as stream:
        assert columns(stream) == WIDTH
        result = make(name=name, framework=name, status=status, reason=name)
        with Progress(3, stream) as progress:
            progress.start(f"{name} {name}")
            progress.finish([status], 1.0)
            for line in live_lines([result], columns(stream)):
                progress.write(line)
            progress.start(name)
        text = os.read(master, 2**16).decode()
    os.close(master)
    drawn = [part for line in text.replace("\r\n", "\n").split("\n") for part in line.split("\r")]
    assert max(map(cell_width, drawn)) <= WIDTH
    assert any(drawn)
