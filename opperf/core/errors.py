"""Every error opperf raises on purpose, each with the exit code it ends a command with.

* OpperfError
  x UsageError            the request cannot be carried out as it was put
    x NotInstalledError   the framework asked for is not here
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


class NotInstalledError(UsageError):
    """The framework asked for cannot be imported here."""


class UnsupportedError(OpperfError):
    """The framework does not offer this operator, dtype, device or direction."""


class WorkerError(OpperfError):
    """The measuring child ended, hung or said something that is not the protocol."""


def unknown(kind: str, value: object, allowed: Iterable[str], where: str = "") -> str:
    """Return the one line that names a wrong value, its nearest match and what is allowed."""
    choices = sorted(allowed)
    by_lower = {choice.lower(): choice for choice in choices}
    near = get_close_matches(str(value).lower(), by_lower, n=1)
    hint = f"did you mean {by_lower[near[0]]!r}? " if near else ""
    return f"unknown {kind} {value!r}{where}; {hint}allowed: {', '.join(choices) or 'none'}"
