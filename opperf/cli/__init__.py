"""The command line: one parser for ``opperf VERB`` and ``python benchmark_driver.py``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from opperf.cli.parser import make_parser, with_default_verb
from opperf.core.errors import OpperfError

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None, *, default_verb: str | None = None) -> int:
    """Carry out a command and return its exit code; an error is one line on stderr."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = make_parser()
    try:
        parsed = parser.parse_args(with_default_verb(given, default_verb))
        parsed.given = given
        code: int = parsed.execute(parsed)
        sys.stdout.flush()
    except OpperfError as error:
        print(f"opperf: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("opperf: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python would complain again while it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return 0 if getattr(parsed, "exit_zero", False) else code
