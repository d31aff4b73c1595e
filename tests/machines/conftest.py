"""Programs on PATH that stand for those of engines: they write down how they were called."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

PROGRAMS = ("kubectl", "sbatch", "scancel", "scontrol", "sky", "squeue")
FAKE = r"""#!/bin/sh
printf '%s\0' "${0##*/}" "$@" >>"$FAKE_CALLS"
printf '\036' >>"$FAKE_CALLS"
cat >>"$FAKE_READ"
[ "${0##*/}" = squeue ] && [ "$FAKE_JOBS" ] && printf '%b' "$FAKE_JOBS"
[ "${0##*/}" = "$FAKE_BAD" ] || exit 0
case $FAKE_HOW in
fail) echo 'no such partition' >&2; exit 3 ;;
hang) echo $$ >"$FAKE_PID"; exec sleep 60 ;;
ignore) trap '' TERM; echo $$ >"$FAKE_PID"; while :; do sleep 0.05; done ;;
flood) exec yes ;;
daemon) sleep 60 & echo $! >"$FAKE_PID" ;;
esac
"""


@dataclass(frozen=True)
class FakeEngines:
    """What was called, and how."""

    folder: Path

    def calls(self) -> list[list[str]]:
        """Return the words of each call, in order."""
        path = self.folder / "calls"
        texts = path.read_text().split("\036")[:-1] if path.exists() else []
        return [text.split("\0")[:-1] for text in texts]

    def read(self) -> str:
        """Return what all of them read from their standard input."""
        return (self.folder / "read").read_text()

    def process(self) -> int | None:
        """Return the process that one of them is or has started, None as long as it has not."""
        path = self.folder / "pid"
        text = path.read_text() if path.exists() else ""
        return int(text) if text.endswith("\n") else None


@pytest.fixture
def engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeEngines:
    """Put the programs before all others; FAKE_BAD names the one that misbehaves, FAKE_HOW how."""
    folder = tmp_path / "engines"
    (folder / "bin").mkdir(parents=True)
    for name in PROGRAMS:
        program = folder / "bin" / name
        program.write_text(FAKE)
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
    for name in ("CALLS", "READ", "PID"):
        monkeypatch.setenv(f"FAKE_{name}", str(folder / name.lower()))
    for name in ("JOBS", "BAD", "HOW"):
        monkeypatch.setenv(f"FAKE_{name}", "")
    return FakeEngines(folder)
