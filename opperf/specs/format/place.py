"""Where something stands in a file: what each error of a specification begins with."""

from __future__ import annotations

import re
from dataclasses import dataclass

from opperf.core.errors import UsageError, quote, quote_path

PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,99}")


@dataclass(frozen=True)
class Place:
    """A value in a file, by its JSON path.

    Args:
        file: as an error names it.
        steps: keys and numbers from the top of the document to the value.

    """

    file: object
    steps: tuple[str | int, ...] = ()

    def __truediv__(self, step: str | int) -> Place:
        return Place(self.file, (*self.steps, step))

    @property
    def path(self) -> str:
        """Return the JSON path, such as $.tests[1].inputs.data."""
        return "$" + "".join(step_text(step) for step in self.steps)

    def __str__(self) -> str:
        return f"{quote_path(self.file)}: {self.path}"

    def fault(self, what: str) -> UsageError:
        """Return the error that says what is wrong here."""
        return UsageError(f"{self}: {what}")


def step_text(step: str | int) -> str:
    """Return a step of a JSON path."""
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if PLAIN_KEY.fullmatch(step) else f"[{quote(step)}]"
