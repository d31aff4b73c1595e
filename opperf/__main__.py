"""``python -m opperf`` is ``opperf``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130
MEASURING = (
    "run",
    "resume",
    "ab",
    "model",
    "method",
    "task",
    "profile",
    "follow",
    "bisect",
    "spec",
)
"""The verbs that have modules to import before they can say anything."""
BEGUN = "opperf: ...\r"
"""Said at once on a terminal; whatever is said next begins as it does, and is longer."""
BEGUN_LINE = "opperf: {}: loading\n"
"""Said at once where there is no terminal, as in a job's log."""
SILENT = {"--quiet", "-h", "--help", "--list"}
"""The options that say nothing, or measure nothing."""


def main(arguments: Sequence[str] | None = None, *, default_verb: str | None = None) -> int:
    """Carry a command out; Ctrl-C while the modules for that are imported ends it in one line."""
    greet(sys.argv[1:] if arguments is None else arguments, default_verb)
    try:
        from opperf.cli import main as carry_out

        return carry_out(arguments, default_verb=default_verb)
    except KeyboardInterrupt:
        print("opperf: interrupted", file=sys.stderr)  # noqa: T201 - what says it is not imported
        return INTERRUPTED


def greet(arguments: Sequence[str], default_verb: str | None) -> None:
    """Say on stderr that something goes on, before the modules for it are imported."""
    verb = arguments[0] if arguments and not arguments[0].startswith("-") else default_verb
    if verb in MEASURING and not SILENT & {*arguments}:
        try:
            sys.stderr.write(BEGUN if sys.stderr.isatty() else BEGUN_LINE.format(verb))
            sys.stderr.flush()
        except (AttributeError, OSError, ValueError):  # stderr is closed
            return


if __name__ == "__main__":
    sys.exit(main())
