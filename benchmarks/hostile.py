"""Run operators that harm their process in every way, each before an innocent one, and count.

``.venv/bin/python benchmarks/hostile.py``: no row of an innocent may be lost or blamed, no process
may be left, and the run itself must end in order.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from json import loads
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLUGINS = (ROOT, ROOT / "tests" / "plugin", ROOT / "tests" / "hostile")
LIMITS = ("--timeout", "4", "--memory-limit", "500MB", "--runs", "6", "--warmup", "0")
GOOD = ("ok", "noisy")


def main() -> int:
    """Print each attack with what came of it, then the counts; return 1 if an innocent was lost."""
    from opperf_hostile.attacks import ATTACKS

    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            [sys.executable, "-m", "opperf", "run", "-k", "category=hostile", "--framework", "toy",
             "--size", "small", "--quiet", *LIMITS, *sys.argv[1:]],
            cwd=folder, env=os.environ | {"TMPDIR": folder}, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        journals = [*Path(folder).glob("runs/*/results.jsonl")]
        lines = journals[0].read_text(encoding="utf-8").splitlines() if journals else []
    records = [loads(line) for line in lines]
    statuses = {record["operator"]["name"]: record["status"] for record in records}
    for record in records:
        name, status = record["operator"]["name"], record["status"]
        if name.startswith("Hostile") or status not in GOOD:
            print(f"{name:40} {status:14} {(record['reason'] or '')[:100]}")
    innocents = [name for name in statuses if name.startswith("Innocent")]
    good = sum(statuses[name] in GOOD for name in innocents)
    print(Counter(status for name, status in statuses.items() if name.startswith("Hostile")))
    print(f"{len(ATTACKS)} attacks, {len(ATTACKS) - good} innocents lost, exit {run.returncode}")
    if "Traceback" in run.stderr:
        print(run.stderr)
    return int(good < len(ATTACKS) or run.returncode != 11 or "Traceback" in run.stderr)


if __name__ == "__main__":
    if os.environ.get("PYTHONPATH") is None:
        os.environ["PYTHONPATH"] = os.pathsep.join(map(str, PLUGINS))
        os.execv(sys.executable, [sys.executable, *sys.argv])  # noqa: S606 - ourselves, with a path
    sys.exit(main())
