"""How long it takes until opperf is there."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

COMMANDS = {
    "python alone": ["-c", "pass"],
    "import opperf": ["-c", "import opperf"],
    "from opperf.nd import Add": ["-c", "from opperf.nd import Add"],
    "opperf --version": ["-m", "opperf", "--version"],
    "opperf list": ["-m", "opperf", "list"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_start(benchmark: BenchmarkFixture, name: str) -> None:
    """A fresh process, from its start to its end; Python alone takes a part of each."""
    command = [sys.executable, *COMMANDS[name]]
    benchmark.group = "start"
    benchmark.pedantic(
        lambda: subprocess.run(command, check=True, capture_output=True), rounds=10, warmup_rounds=1
    )
