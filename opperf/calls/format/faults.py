"""Wrong calls of a file whose others are read all the same."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_SAID = 10
"""Wrong calls of a file that are told one by one."""


@dataclass
class CallFaults:
    """What is wrong with calls that are left out of what is read: how many, and of some a line.

    Where that is `strict`, the first wrong call is the whole file's error.
    """

    strict: bool = False
    count: int = 0
    first: list[str] = field(default_factory=list)

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note what is wrong with a call, and go on behind it."""
        try:
            yield
        except UsageError as error:
            if self.strict:
                raise
            self.add(str(error))

    def add(self, line: str, calls: int = 1) -> None:
        """Note a line about so many calls."""
        self.count += calls
        if len(self.first) < MOST_SAID:
            self.first.append(line)

    def lines(self) -> Iterator[str]:
        """Yield a line a call, and how many more there are."""
        yield from self.first
        if self.count > len(self.first):
            yield f"{self.count - len(self.first):,} further calls"

    def refuse_all(self) -> None:
        """Refuse a file that has no other calls.

        Raises:
            UsageError: says what is wrong with the first.
        """
        reason = f"; none of its {self.count:,} calls can be read" if self.count > 1 else ""
        raise UsageError(f"{self.first[0]}{reason}" if self.first else "it has no calls")


def calls_text(count: int) -> str:
    """Return "1 call" or "3 calls"."""
    return f"{count:,} call{'s' if count != 1 else ''}"


STRICT = CallFaults(strict=True)
