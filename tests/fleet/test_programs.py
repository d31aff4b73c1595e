"""The programs that simulate a fleet, at a small scale."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.storing.database.conftest import find_binaries

if TYPE_CHECKING:
    from subprocess import CompletedProcess

    from tests.conftest import CommandLine

LONGEST = 500.0
BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

pytestmark = pytest.mark.skipif(
    find_binaries() is None, reason="no PostgreSQL here (no initdb); apt-get install postgresql"
)


def carry_out(opperf: CommandLine, *words: str) -> CompletedProcess[str]:
    """Run a program, which may take longer than a command of opperf."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=opperf.directory,
        env=opperf.environment(),
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )


@pytest.mark.timeout(600)
def test_every_job_of_a_simulated_fleet_ends_once(opperf: CommandLine) -> None:
    """Through a real scheduler and database."""
    script = str(BENCHMARKS / "fleet_simulated.py")
    options = ["--hosts", "5", "--jobs", "30", "--seconds", "0.2", "--processes", "1"]
    said = carry_out(opperf, script, *options)
    assert said.returncode == 0, said.stdout + said.stderr
    assert "lost or doubled: none" in said.stdout
    assert re.search(r"^30 jobs, 5 hosts", said.stdout, re.MULTILINE)


@pytest.mark.timeout(600)
def test_every_job_ends_once_after_a_fault(opperf: CommandLine) -> None:
    """A host is killed, and one may write no files."""
    script = str(BENCHMARKS / "fleet_faults.py")
    said = carry_out(opperf, script, "--times", "1", "--faults", "worker,disk")
    assert said.returncode == 0, said.stdout + said.stderr
    clean = r"1 times, \d+ s each; of 9 jobs 9 done; \d tried again; lost or doubled: none"
    assert len(re.findall(rf"^(?:worker|disk): {clean}$", said.stdout, re.MULTILINE)) == 2
