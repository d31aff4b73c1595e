"""Every error opperf raises on purpose, each with the exit code it ends a command with.

* OpperfError
  x UsageError            the request cannot be carried out as it was put
    x MisfitError         an input breaks a rule of its operator
    x NotInstalledError   the framework asked for is not here
    x LoadingError        the framework is here and cannot be imported
  x UnsupportedError      the framework has no such operator, dtype or direction
  x WorkerError           the measuring child broke off
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable


class OpperfError(Exception):
    """The root of all errors below: catch this one to catch them all."""

    exit_code: ClassVar[int] = 1


class UsageError(OpperfError, ValueError):
    """The request names something that does not exist, does not fit or is not allowed."""

    exit_code = 2


class MisfitError(UsageError):
    """An input breaks a rule of its operator; `name` is the input's."""

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message)
        self.name = name


class NotInstalledError(UsageError):
    """The framework asked for cannot be imported here."""


class LoadingError(UsageError):
    """The framework cannot be imported; `status` is how a row of it ends for that."""

    def __init__(self, message: str, status: str = "failed") -> None:
        super().__init__(message)
        self.status = status


class UnsupportedError(OpperfError):
    """The framework does not offer this operator, dtype, device or direction."""


class WorkerError(OpperfError):
    """The measuring child ended, hung or said something that is not the protocol."""


LONGEST_SHOWN = 200
"""Characters of a value that an error quotes."""
MOST_LISTED = 40
"""How many allowed values an error names; of more it says how many there are."""


def quote(value: object) -> str:
    """Return a value as an error quotes it: shortened, and its kind where Python cannot write it.

    It writes no whole number of more than 4300 digits, and no list a thousand deep.
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return f"<{type(value).__name__}>"
    half = LONGEST_SHOWN // 2
    return text if len(text) <= LONGEST_SHOWN else f"{text[:half]}...{text[-half:]}"


def error_text(error: BaseException) -> str:
    """Return an error's kind and the first line of what it says, below a traceback in it."""
    lines = str(error).strip().splitlines() or [""]
    traced = lines[0].startswith("Traceback")
    below = (line for line in lines[1:] if line and not line[0].isspace()) if traced else ()
    said = next(iter(below), lines[0])
    kind = type(error).__name__
    if not said or said.startswith(kind):
        return said or kind
    return f"{kind}: {said}"


def quote_path(path: object) -> str:
    """Return a path for an error message; quoted if it has unprintable characters."""
    text = str(path)
    return text if text.isprintable() else quote(text)


def unknown(kind: str, value: object, names: Iterable[str], where: str = "") -> str:
    """Return the one line that names a wrong value, its nearest match and what is allowed."""
    choices = sorted(names)
    near = nearest(value, choices) if isinstance(value, str) else None
    hint = f"did you mean {near!r}? " if near else ""
    listed = ", ".join(choices) if len(choices) <= MOST_LISTED else f"{len(choices)} names"
    return f"unknown {kind} {quote(value)}{where}; {hint}allowed: {listed or 'none'}"


def nearest(value: str, choices: Iterable[str]) -> str | None:
    """Return the choice that is spelled most like the value, None where none is near."""
    by_lower = {choice.lower(): choice for choice in choices}
    near = get_close_matches(value.lower(), by_lower, n=1)
    return by_lower[near[0]] if near else None
