"""Whether a host is quiet enough to measure on, as `opperf doctor` finds."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from opperf.core.errors import error_text
from opperf.core.units import format_bytes

if TYPE_CHECKING:
    from pathlib import Path

BUDGET = "20s"
LONGEST = 600.0
"""Seconds after which a doctor that does not end is given up."""
NEEDED_BYTES = 256 * 2**20
"""Below so much free space no job is taken: a run's journal, logs and arrays on the way."""
LIMITED = ("preemption", "noise floor")
"""The doctor's findings that are shares of the time, and may not be above the limit."""


def why_unfit(folder: Path, framework: str | None, most_noise: float | None) -> str:
    """Return why nothing is to be measured on this host, empty where it may be.

    Args:
        folder: where it keeps what it measures.
        framework: which one the doctor measures; None where the host has none.
        most_noise: the share that may differ from process to process; None asks no doctor.
    """
    free = shutil.disk_usage(folder).free
    if free < NEEDED_BYTES:
        return f"{format_bytes(free)} free in {folder}, {format_bytes(NEEDED_BYTES)} are needed"
    if framework is None:
        return "no framework is installed here: pip install 'opperf[pytorch]'"
    return "" if most_noise is None else why_noisy(framework, most_noise)


def why_noisy(framework: str, most: float) -> str:
    """Return which of the doctor's findings is above the limit, empty where none is."""
    command = [
        sys.executable, "-m", "opperf", "doctor", "--quiet", "--format", "json",
        "--framework", framework, "--budget", BUDGET,
    ]  # fmt: skip
    try:
        done = subprocess.run(  # noqa: S603 - this interpreter
            command, capture_output=True, text=True, timeout=LONGEST, check=True
        )
        findings = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        return f"opperf doctor failed: {error_text(error)}"
    for finding in findings:
        value = finding.get("value")
        if finding["check"] in LIMITED and value is not None and value > most:
            return f"{finding['check']}: {finding['figure']}; at most {most:.1%} is allowed"
    return ""
