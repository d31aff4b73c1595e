"""The command line: one parser for ``opperf VERB`` and ``python benchmark_driver.py``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

NEEDED = ("msgspec", "numpy", "psutil", "regex", "rich", "tabulate", "tomli", "tqdm")
"""The packages that opperf does not run without, as pyproject.toml has them."""
INTERNAL = 1


def main(arguments: Sequence[str] | None = None, *, default_verb: str | None = None) -> int:
    """Carry out a command and return its exit code; an error is one line on stderr."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        from opperf.cli.command import command

        return command(given, default_verb)
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        if package not in NEEDED:
            raise
        sys.stderr.write(
            f"opperf: this Python ({sys.executable}) lacks {package}: pip install opperf, or "
            "take the Python of the environment that `make venv` sets up\n"
        )
        return INTERNAL
