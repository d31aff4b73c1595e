"""A form of output: what it is called, what is written in it, and the function that writes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, quote
from opperf.reporting.subjects import SUBJECTS

if TYPE_CHECKING:
    from collections.abc import Callable

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
SUFFIX = re.compile(r"(\.[a-z0-9-]+)?")


@dataclass(frozen=True, kw_only=True)
class Form:
    """One form of output, of one kind of subject or of several.

    Attributes:
        name: as `--format` and `--output-format` take it: small letters, digits and hyphens.
        subjects: the classes of `opperf.reporting.subjects` that it can be written of.
        suffix: how files of it end, such as ".csv"; "" where they have no ending of their own.
        help: what it is, in a few words.
        write: writes a subject to a stream of text, or of bytes where `binary`.
        binary: whether it is bytes, which no terminal shows.
        only_times: whether results without a time have no place in it.
        require: raises a UsageError where it cannot be written on this machine.
    """

    name: str
    subjects: tuple[type, ...]
    suffix: str
    help: str
    write: Callable[[Any, Any], None]
    binary: bool = False
    only_times: bool = False
    require: Callable[[], None] = lambda: None

    def __post_init__(self) -> None:
        """Refuse what is no form."""
        if not (isinstance(self.name, str) and NAME.fullmatch(self.name)):
            raise UsageError(f"name={quote(self.name)}: must be small letters, digits and hyphens")
        known = ", ".join(kind.__name__ for kind in SUBJECTS)
        if not (isinstance(self.subjects, tuple) and self.subjects):
            raise UsageError(f"subjects={quote(self.subjects)}: must be a tuple of: {known}")
        for kind in self.subjects:
            if kind not in SUBJECTS:
                raise UsageError(f"subjects has {quote(kind)}; allowed: {known}")
        if not (isinstance(self.suffix, str) and SUFFIX.fullmatch(self.suffix)):
            raise UsageError(f"suffix={quote(self.suffix)}: must be like '.csv', or ''")
        if not isinstance(self.help, str):
            raise UsageError(f"help={quote(self.help)}: must be a text")
        for name in ("write", "require"):
            if not callable(getattr(self, name)):
                raise UsageError(f"{name}={quote(getattr(self, name))}: must be a function")
