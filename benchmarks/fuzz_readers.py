"""Damage every field of every stored format, and read it by every verb that does.

``.venv/bin/python benchmarks/fuzz_readers.py 50000``: so many damaged documents, each read by a
verb drawn from those that read its format; what `import` takes is read from the store as well. It
prints how many ended in a traceback, in a hang or otherwise than documented, and each of these
once a place.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))


def main() -> int:
    """Attack, print what came of it, and return whether anything is to be mended."""
    from tests.readers.workshop import Tally, Workshop, folder_in_memory

    most = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    tally, began = Tally(), time.monotonic()
    with folder_in_memory() as folder:
        Workshop(folder, seed).attack(most, tally)
    shown: dict[str, str] = {}
    for trouble in tally.troubles:
        shown.setdefault(trouble.rpartition("\n")[2][:100], trouble)
    for trouble in shown.values():
        print(trouble[:600])
    tracebacks, hangs = (
        sum(kind in one for one in tally.troubles) for kind in ("traceback: ", "hang of ")
    )
    others = len(tally.troubles) - tracebacks - hangs
    print(f"{tally.inputs} damaged documents (seed {seed}) in {time.monotonic() - began:.0f} s")
    print(f"{tracebacks} tracebacks, {hangs} hangs, {others} ended otherwise than documented")
    print("exit codes:", dict(sorted(tally.codes.items())))
    print("formats:", dict(sorted(tally.formats.items())))
    return int(bool(tally.troubles))


if __name__ == "__main__":
    sys.exit(main())
