"""pyperf as its users have it: a call timed in processes of pyperf's own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PASSED_ON = "OMP_NUM_THREADS,MKL_NUM_THREADS,OMP_WAIT_POLICY,KMP_BLOCKTIME,GLIBC_TUNABLES"


def run_pyperf(call: str, path: Path, *options: str) -> None:
    """Have pyperf time one of `experiments.calls`, and write what it found to a path."""
    script = Path(__file__).with_name("pyperf_peer.py")
    given = ["--quiet", "--inherit-environ", PASSED_ON, "-o", str(path), "--call", call]
    command = [sys.executable, str(script), *given, *options]
    subprocess.run(command, check=True, capture_output=True, cwd=path.parent)
