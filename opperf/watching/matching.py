r"""Numbers in the lines of a log, by regular expressions whose time is bounded.

The package `regex` reads Python's expressions and ends a search after a time; Python's own `re`
cannot be interrupted, and `(a+)+b` takes longer than the universe is old on a line of forty `a`.
"""

from __future__ import annotations

import math
import re
from array import array
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import regex

from opperf.core.errors import UsageError, quote
from opperf.watching.literal import required_literal
from opperf.watching.log import LONGEST_LINE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PATIENCE = 1.0
"""Seconds that a pattern may take on one line; one that takes longer is not tried again."""
MOST_VALUES = 10**6
"""Values that are kept of a pattern: 8 MB."""
LONGEST_PATTERN = 2000
MOST_REPEATS = 1000
IDIOM = r"(\d+\.\d+|\d+)"
"""How the driver's document writes a number. It has neither a sign nor an exponent, so that of
1e-05 it would take the 1; it stands for `NUMBER`."""
NUMBER = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
EXPONENT = re.compile(r"[eE][-+]?\d+")
NEWLINE = re.compile(r"(?<!\\)(?:\\\\)*\\n")
"""A backslash and an n, where no other backslash stands before them."""
REPEAT = re.compile(r"\{(\d*),?(\d*)\}")


@dataclass
class NumberPattern:
    """A regular expression whose one group, or whose group `value`, is a number.

    Args:
        text: the expression, in Python's syntax; it is searched for in each line by itself.
        patience: the seconds that it may take on one line.
        values: the numbers, in the order in which they came.
        fault: why it has been given up.
    """

    text: str
    patience: float = PATIENCE
    values: array[float] = field(default_factory=lambda: array("d"))
    fault: str | None = None

    def check(self) -> None:
        """Refuse an expression that cannot be used.

        Raises:
            UsageError: Names the expression, and what is wrong where.
        """
        counts = [int(n) for pair in REPEAT.findall(self.text) for n in pair if n]
        if len(self.text) > LONGEST_PATTERN:
            raise self.error(f"longer than {LONGEST_PATTERN} characters")
        if math.prod(filter(None, counts)) > MOST_REPEATS:
            raise self.error(f"repeats more than {MOST_REPEATS} times")
        if "\n" in self.text or NEWLINE.search(self.text):
            raise self.error("lines are matched one by one; leave \\n out")
        try:
            groups = self.compiled.groups
        except (regex.error, RecursionError, OverflowError, ValueError) as error:
            raise self.error(str(error)) from None
        if groups != 1 and "value" not in self.compiled.groupindex:
            remedy = "give one, around the number, or name it (?P<value>...)"
            raise self.error(f"has {groups} groups; {remedy}")

    def error(self, fault: str) -> UsageError:
        """Return what is wrong with the expression as an error."""
        return UsageError(f"pattern {quote(self.text)}: {fault}")

    @property
    def expression(self) -> str:
        """The expression with any number where the document's idiom stands."""
        return self.text.replace(IDIOM, NUMBER)

    @cached_property
    def compiled(self) -> Any:
        """The expression as it is searched for."""
        return regex.compile(self.expression, regex.VERSION0)

    @cached_property
    def literal(self) -> bytes | None:
        """What stands in each line that the expression matches, None where that is not known."""
        return required_literal(self.expression)

    @cached_property
    def group(self) -> int | str:
        """The group that holds the number."""
        return "value" if "value" in self.compiled.groupindex else 1

    def take(self, line: str) -> None:
        """Add the numbers of a line."""
        if self.fault is not None:
            return
        try:
            for match in self.compiled.finditer(line, timeout=self.patience, concurrent=True):
                self.add(line, match)
        except TimeoutError:
            self.fault = (
                f"pattern {quote(self.text)} took more than {self.patience:g} s on a line of "
                f"{len(line)} characters"
            )

    def add(self, line: str, match: Any) -> None:
        """Add the number that a match holds, its exponent included where the group left it out."""
        start, end = match.span(self.group)
        if start < 0 or self.fault is not None:
            return
        if (more := EXPONENT.match(line, end)) and line[end - 1 : end].isdigit():
            end = more.end()
        try:
            value = float(line[start:end])
        except ValueError:
            self.fault = f"pattern {quote(self.text)} found {quote(line[start:end])}, no number"
            return
        if not math.isfinite(value):
            self.fault = f"pattern {quote(self.text)} found {line[start:end].strip()}"
        elif len(self.values) >= MOST_VALUES:
            self.fault = f"pattern {quote(self.text)} found more than {MOST_VALUES} numbers"
        else:
            self.values.append(value)


def take_lines(patterns: Sequence[NumberPattern], block: bytes) -> None:
    """Add the numbers of a block of lines, each ended by a newline, to each pattern."""
    lines: list[str] | None = None
    for pattern in patterns:
        if pattern.literal is not None:
            for line in lines_with(pattern.literal, block):
                pattern.take(line)
        else:
            lines = lines or [text_of(line) for line in block.split(b"\n")[:-1]]
            for line in lines:
                pattern.take(line)


def lines_with(literal: bytes, block: bytes) -> Iterator[str]:
    """Yield the lines of a block that hold a text."""
    found = block.find(literal)
    while found >= 0:
        start = block.rfind(b"\n", 0, found) + 1
        end = block.find(b"\n", found)
        yield text_of(block[start:end])
        found = block.find(literal, end)


def text_of(line: bytes) -> str:
    """Return the beginning of a line as text."""
    return line[:LONGEST_LINE].decode(errors="replace")
