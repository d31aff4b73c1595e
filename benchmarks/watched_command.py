"""What watching a command costs: looks at its tree, patterns over a long log, start and end.

Run: ``.venv/bin/python benchmarks/watched_command.py``
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from opperf.tasks.session import run_session
from opperf.tasks.task import LogMetric, ScriptTask
from opperf.watching.command import WatchCommand
from opperf.watching.watch import watch

PROCESSES, SECONDS = 20, 20
LOG_BYTES = 10**9
PRINTS = """
import itertools, sys
block = b"".join(
    b"INFO:root:Epoch[0] Batch [%d]\\tSpeed: %d.%06d samples/sec\\taccuracy=0.172578\\n" % (i, i, i)
    if i % 20 == 0 else b"DEBUG:root:step %d abc defghij klmnop=:abcdefg hij klmnop abc\\n" % i
    for i in range(10_000)
)
for _ in range(int(sys.argv[1]) // len(block)):
    sys.stdout.buffer.write(block)
"""
PATTERNS = (
    r"Speed: (\d+\.\d+|\d+) samples/sec",
    r"training: accuracy=(\d+\.\d+|\d+)",
    r"validation: accuracy=(\d+\.\d+|\d+)",
    r"time cost: (\d+\.\d+|\d+)",
    *(rf"metric{number}=(\d+)" for number in range(8)),
)


def looks() -> None:
    """Print the share of a core that sampling a tree of processes takes."""
    script = f"for i in $(seq {PROCESSES - 1}); do sleep {SECONDS} & done; wait"
    usage = watch(WatchCommand(script=script)).usage
    print(
        f"{usage.processes.largest} processes: {usage.rss.count / usage.seconds:.1f} samples a "
        f"second, {usage.watch_share:.2%} of a core, longest gap {usage.longest_gap:.2f} s"
    )


def long_log() -> None:
    """Print how fast a log of a command is matched as it comes."""
    words = [sys.executable, "-c", PRINTS, str(LOG_BYTES)]
    metrics = [
        LogMetric(name=f"m{place}", pattern=text, method="last")
        for place, text in enumerate(PATTERNS)
    ]
    task = ScriptTask(name="long", command="", num_gpus=0, metrics=tuple(metrics))
    with tempfile.TemporaryDirectory() as folder:
        found = run_session(task, WatchCommand(arguments=words), Path(folder, "log"))
        kept = sum(path.stat().st_size for path in Path(folder).iterdir())
    print(
        f"{len(PATTERNS)} patterns over {LOG_BYTES / 1e6:.0f} MB: {found.seconds:.1f} s, "
        f"{LOG_BYTES / 1e6 / found.seconds:.0f} MB/s; "
        f"{kept / 2**20:.0f} MiB of log kept; "
        f"values: {[metric.value for metric in found.metrics[:2]]}"
    )


def start() -> None:
    """Print what a command takes under watch beyond what it takes without, in turns."""
    words = [sys.executable, "-c", ""]
    extra = []
    for _ in range(15):
        began = time.perf_counter()
        subprocess.run(words, check=True)
        between = time.perf_counter()
        watch(WatchCommand(arguments=words))
        extra.append(time.perf_counter() - between - (between - began))
    print(f"a command under watch: {median(extra):.3f} s more than without")


if __name__ == "__main__":
    looks()
    long_log()
    start()
