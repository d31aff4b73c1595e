"""``python -m opperf`` is ``opperf``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None, *, default_verb: str | None = None) -> int:
    """Carry a command out; Ctrl-C while the modules for that are imported ends it in one line."""
    try:
        from opperf.cli import main as carry_out

        return carry_out(arguments, default_verb=default_verb)
    except KeyboardInterrupt:
        print("opperf: interrupted", file=sys.stderr)  # noqa: T201 - what says it is not imported
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
