"""Whether opperf itself has become slower: its benchmarks on the last release and on this tree.

Run: ``.venv/bin/python benchmarks/against_release.py [REVISION]``

Both run their own benchmarks, in turns, in this environment; the release is unpacked into a
temporary folder, and nothing in the repository changes. Without a revision, the newest tag is the
last release. Compare the minima: they are what noise changes least.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
ROUNDS = 2
COLUMNS = "min,median,iqr,rounds"


def main() -> int:
    """Run both in turns and print them beside each other."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("revision", nargs="?", help="a tag or a commit; by default the newest tag")
    parser.add_argument("-k", default="", metavar="EXPRESSION", help="only benchmarks of this name")
    options = parser.parse_args()
    revision = options.revision or newest_tag()
    if not revision:
        print("there is no tag yet: name the commit of the last release", file=sys.stderr)
        return 2
    with TemporaryDirectory() as folder:
        release = Path(folder, "release")
        unpack(revision, release)
        storage = Path(folder, "results")
        for number in range(1, ROUNDS + 1):
            for name, tree in ((f"release-{number}", release), (f"now-{number}", ROOT)):
                print(f"{name}: {tree}", flush=True)
                measure(tree, storage, name, options.k)
        return compare(storage)


def git(*arguments: str) -> bytes:
    """Return what git says of this repository, nothing where it fails."""
    command = [which("git") or "git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, check=False, capture_output=True).stdout


def newest_tag() -> str:
    """Return the newest tag that leads to this commit, or nothing."""
    return git("describe", "--tags", "--abbrev=0").decode().strip()


def unpack(revision: str, target: Path) -> None:
    """Write a revision's files into a folder."""
    ZipFile(BytesIO(git("archive", "--format=zip", revision))).extractall(target)


def measure(tree: Path, storage: Path, name: str, wanted: str) -> None:
    """Run a tree's benchmarks on the opperf that lies in it; a failed one is left out."""
    command = [sys.executable, "-m", "pytest", "benchmarks/", "-q", "-p", "no:cacheprovider"]
    command += ["--benchmark-enable", "--benchmark-only", f"--benchmark-save={name}"]
    command += [f"--benchmark-storage=file://{storage}", "-k", wanted]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    subprocess.run(command, check=False, cwd=tree, env=environment, stdout=subprocess.DEVNULL)


def compare(storage: Path) -> int:
    """Print all rounds beside each other, benchmark by benchmark."""
    command = [sys.executable, "-m", "pytest_benchmark", f"--storage=file://{storage}", "compare"]
    command += ["--group-by=name", "--sort=name", f"--columns={COLUMNS}"]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
