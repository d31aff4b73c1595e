"""Commands carried out in the tests' own process: as fast as the code under them."""

from __future__ import annotations

from subprocess import CompletedProcess
from typing import TYPE_CHECKING

import pytest

from opperf.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., CompletedProcess[str]]:
    """Return a function that carries a command out in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPPERF_RETRY", "no")  # what a run writes is not up to the machine's noise

    def carry_out(*arguments: str) -> CompletedProcess[str]:
        try:
            code = main(arguments)
        except SystemExit as ending:
            code = int(str(ending.code))
        return CompletedProcess(arguments, code, *capsys.readouterr())

    return carry_out
