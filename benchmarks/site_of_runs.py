"""How fast and how large a site of many runs is, and what one more run touches, as measured here.

    python benchmarks/site_of_runs.py                     # 100 runs of 3,000 results
    python benchmarks/site_of_runs.py --runs 10 --rows 500

Journals are written as opperf writes them: five series an operator, 28 samples each, in two
frameworks; on the last day but one, one series in a hundred steps by 10 %. The journals take some
10 MB a run, in the folder that TMPDIR names.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

from store_scale import BEGIN, Year

PER_OPERATOR = 5


class Nights(Year):
    """Runs of one night after another; each operator has a few series."""

    def __init__(self, rows: int, nights: int) -> None:
        super().__init__(rows, nights)
        self.heads = [
            text.replace(f'"Operator{number // 24}"', f'"Operator{number // PER_OPERATOR}"')
            for number, text in enumerate(self.heads)
        ]

    def make(self, night: int, runs_dir: Path) -> None:
        """Write the run directory of a night."""
        run_id = f"{BEGIN + timedelta(days=night):%Y%m%dT%H%M%S}-{night:06x}"
        folder = runs_dir / run_id
        folder.mkdir()
        self.write(night, folder / "results.jsonl")
        manifest = {"schema": "opperf.run/1", "run_id": run_id, "command": "opperf run"}
        (folder / "run.json").write_text(json.dumps(manifest))


def main() -> None:
    """Print seconds, megabytes and files."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--rows", type=int, default=3000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runs_dir, site = Path(folder) / "runs", Path(folder) / "site"
        runs_dir.mkdir()
        nights = Nights(arguments.rows, arguments.runs + 1)
        for night in range(arguments.runs):
            nights.make(night, runs_dir)
        print("load average:", *(f"{value:.1f}" for value in os.getloadavg()))
        for what in (f"{arguments.runs} runs", "the same once more"):
            tell(what, write(runs_dir, site), site)
        before = state(site)
        nights.make(arguments.runs, runs_dir)
        tell("one run more", write(runs_dir, site), site)
        after = state(site)
        touched = [name for name in after if after[name] != before.get(name)]
        by_folder: dict[str, int] = {}
        for name in touched:
            folder_name = str(Path(name).parent)
            by_folder[folder_name] = by_folder.get(folder_name, 0) + 1
        print(f"  touched {len(touched)} of {len(after)} files: {by_folder}")


def write(runs_dir: Path, site: Path) -> tuple[float, float]:
    """Write the site, and return wall seconds and processor seconds."""
    command = [sys.executable, "-m", "opperf", "report"]
    command += ["--site", str(site), "--runs-dir", str(runs_dir)]
    began, before = time.perf_counter(), os.times()
    subprocess.run(command, check=True)
    after = os.times()
    processor = sum(after[2:4]) - sum(before[2:4])
    return time.perf_counter() - began, processor


def state(site: Path) -> dict[str, Any]:
    """Return which file each name stands for."""
    files = (path for path in site.rglob("*") if path.is_file())
    return {
        str(path.relative_to(site)): (path.stat().st_ino, path.stat().st_mtime_ns) for path in files
    }


def tell(what: str, seconds: tuple[float, float], site: Path) -> None:
    """Print a line."""
    sizes: dict[str, int] = {}
    for path in site.rglob("*"):
        if path.is_file():
            name = path.relative_to(site).parts[0]
            sizes[name] = sizes.get(name, 0) + path.stat().st_size
    parts = ", ".join(f"{name} {size / 1e6:.1f}" for name, size in sorted(sizes.items()))
    wall, processor = seconds
    print(
        f"{what}: {wall:.2f} s, {processor:.2f} s of processor, "
        f"{sum(sizes.values()) / 1e6:.1f} MB ({parts})",
        flush=True,
    )


if __name__ == "__main__":
    main()
