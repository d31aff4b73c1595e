"""Carrying a command out: its exit code, and an error as one line on stderr."""

from __future__ import annotations

import os
import sys

from opperf.cli.common.exit_codes import INTERNAL, INTERRUPTED
from opperf.cli.common.messages import forget_unsaid, leaving_early, say, silence
from opperf.cli.parser import parse
from opperf.core.errors import OpperfError


def command(arguments: list[str], default_verb: str | None) -> int:
    """Carry out a command and return its exit code; an error is one line on stderr."""
    replace_closed_streams()
    try:
        return carry_out(arguments, default_verb)
    finally:
        forget_unsaid()


def carry_out(arguments: list[str], default_verb: str | None) -> int:
    """Return the exit code of a command."""
    code = 0
    try:
        parsed = parse(arguments, default_verb)
        parsed.given = arguments
        with leaving_early():
            code = parsed.execute(parsed)
    except OpperfError as error:
        say(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except OSError as error:  # stdout on a full disk, no descriptors left, ...
        silence(sys.stdout)
        say(str(error))
        return INTERNAL
    whatever_came = getattr(parsed, "exit_zero", False) and code != INTERRUPTED
    return 0 if whatever_came else code


def replace_closed_streams() -> None:
    """Open the standard streams that are closed: a pipe to a child would get their numbers."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free: this one
            setattr(sys, name, os.fdopen(number, "w" if number else "r"))
