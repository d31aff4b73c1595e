"""The token of a server: from an environment variable or a file, and shown nowhere."""

from __future__ import annotations

import os
import re
from pathlib import Path
from stat import S_IMODE, S_ISREG

from opperf.core.errors import UsageError, quote_path

FLAG = "--remote_access_token"
VARIABLE, FILE_VARIABLE = "OPPERF_REMOTE_TOKEN", "OPPERF_REMOTE_TOKEN_FILE"
SENDABLE = re.compile(r"[!-~]+")
LONGEST = 8192
OTHERS = 0o077
"""The bits of a file's mode that let group and others in."""
ALLOWED = f"'$NAME' of an environment variable, or @FILE; without it {VARIABLE}, {FILE_VARIABLE}"


class Secret(str):
    """A text that no repr shows: that of the headers it stands in neither."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'***'"


def read_token(given: str | None) -> Secret | None:
    """Return the token that '$NAME' or '@FILE' name, or the usual variables; None for none.

    Raises:
        UsageError: it is none, is written out, or lies in a file that others can read.
    """
    if given is None:
        if named := os.environ.get(VARIABLE):
            return checked(named, f"${VARIABLE}")
        path = os.environ.get(FILE_VARIABLE)
        return from_file(path, f"${FILE_VARIABLE}") if path else None
    if given.startswith("$"):
        return checked(os.environ.get(given[1:], ""), f"{FLAG} {given}")
    if given.startswith("@"):
        return from_file(given[1:], FLAG)
    raise UsageError(
        f"{FLAG}: what others can read is no secret, and a command line is; allowed: {ALLOWED}. "
        "If this was the token, it is known by now: have a new one made"
    )


def from_file(name: str, place: str) -> Secret:
    """Return the token in a file that nobody else can read."""
    path = Path(name).expanduser()
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            private = not S_IMODE(status.st_mode) & OTHERS and status.st_uid in {0, os.geteuid()}
            text = file.read(LONGEST + 1) if S_ISREG(status.st_mode) and private else None
    except OSError as error:
        raise UsageError(f"{place}: cannot read {quote_path(path)}: {error.strerror}") from None
    if text is None:
        raise UsageError(
            f"{place}: {quote_path(path)} must be a file that only its owner can read; "
            f"chmod 600 {quote_path(path)}"
        )
    return checked(text.decode("latin-1").strip(), f"{place} {quote_path(path)}")


def checked(text: str, place: str) -> Secret:
    """Return a token that can stand in a header.

    Raises:
        UsageError: it cannot; its text is not in the error.
    """
    if not text:
        raise UsageError(f"{place}: there is no token; allowed: {ALLOWED}")
    if len(text) > LONGEST or not SENDABLE.fullmatch(text):
        raise UsageError(
            f"{place}: a token is one line of at most {LONGEST} ASCII characters, without spaces"
        )
    return Secret(text)
