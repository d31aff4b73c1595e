"""A small part of Python's literals, parsed and never executed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DEEPEST = 16
"""Levels of brackets; the deepest of any public log is 4."""
LONGEST_NUMBER = 40
NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
TOKEN = re.compile(
    rf"""[ \t]*(?:(?P<complex>\({NUMBER}[+-](?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?j\)|{NUMBER}j)
    |(?P<number>{NUMBER})|(?P<name>-?[A-Za-z_][\w.]*)|(?P<string>'[^'\\]*'|"[^"\\]*")
    |(?P<mark>[][(){{}},:=]))""",
    re.VERBOSE,
)
CLOSING = {"(": ")", "[": "]"}
END = ("end", "", 0)


class LiteralParser:
    """Reads a literal token by token; sequences become tuples.

    `words` are the names that stand for a value, `makers` those that are called for one; a maker
    raises a ValueError that says what is wrong with its arguments.
    """

    def __init__(
        self,
        text: str,
        words: Mapping[str, object],
        makers: Mapping[str, Callable[..., object]],
        begin: int = 0,
    ) -> None:
        self.words, self.makers = words, makers
        self.tokens = tokens_of(text, begin)
        self.at = 0

    def parse(self) -> Any:
        """Return what the whole text stands for.

        Raises:
            UsageError: It is no such literal; says where.
        """
        value = self.value(0)
        if self.tokens[self.at] is not END:
            raise self.unexpected("the end")
        return value

    def unexpected(self, expected: str) -> UsageError:
        """Return the error that names the next token."""
        _, text, place = self.tokens[self.at]
        found = f"{quote(text)} at character {place + 1}" if text else "the end"
        return UsageError(f"{found} where {expected} should be")

    def accept(self, mark: str) -> bool:
        """Take this mark if it comes next, and return whether it did."""
        kind, text, _ = self.tokens[self.at]
        found = kind == "mark" and text == mark
        self.at += found
        return found

    def goes_on(self, closing: str) -> bool:
        """Return whether a comma comes next; if not, take the bracket that has to."""
        if self.accept(","):
            return True
        if not self.accept(closing):
            raise self.unexpected(f"',' or {closing!r}")
        return False

    def value(self, depth: int) -> Any:
        """Return the value that comes next, within so many brackets."""
        kind, text, place = self.tokens[self.at]
        if depth > DEEPEST:
            raise UsageError(f"nested deeper than {DEEPEST} levels at character {place + 1}")
        if kind == "mark" and text in CLOSING:
            self.at += 1
            return self.sequence(CLOSING[text], depth + 1)
        if self.accept("{"):
            return self.mapping(depth + 1)
        if kind in ("mark", "end"):
            raise self.unexpected("a value")
        self.at += 1
        if kind == "name":
            return self.named(text, place, depth)
        return text[1:-1] if kind == "string" else number_of(kind, text, place)

    def named(self, name: str, place: int, depth: int) -> object:
        """Return what a name stands for, called where arguments follow."""
        if self.accept("("):
            if name not in self.makers:
                raise UsageError(f"unknown {quote(name)} at character {place + 1} is called")
            values, keywords = self.arguments(depth + 1)
            try:
                return self.makers[name](*values, **keywords)
            except (TypeError, ValueError) as error:
                reason = str(error).rpartition("() ")[2]
                raise UsageError(f"{name} at character {place + 1}: {reason}") from None
        if name not in self.words:
            raise UsageError(f"unknown {quote(name)} at character {place + 1}")
        return self.words[name]

    def sequence(self, closing: str, depth: int) -> Any:
        """Return the items up to a bracket; one in parentheses without a comma is no tuple."""
        items: list[object] = []
        while not self.accept(closing):
            items.append(self.value(depth))
            if not self.goes_on(closing):
                alone = closing == ")" and len(items) == 1
                return items[0] if alone else tuple(items)
        return tuple(items)

    def mapping(self, depth: int) -> dict[str, object]:
        """Return the values of a dictionary by name."""
        found: dict[str, object] = {}
        while not self.accept("}"):
            place = self.tokens[self.at][2]
            name = self.value(depth)
            if not isinstance(name, str) or name in found:
                raise UsageError(f"a name at character {place + 1} is none, or repeated")
            if not self.accept(":"):
                raise self.unexpected("':'")
            found[name] = self.value(depth)
            if not self.goes_on("}"):
                break
        return found

    def arguments(self, depth: int) -> tuple[list[object], dict[str, object]]:
        """Return the arguments of what is called, by position and by name."""
        values: list[object] = []
        names: dict[str, object] = {}
        while not self.accept(")"):
            kind, text, place = self.tokens[self.at]
            if kind == "name" and self.tokens[self.at + 1][1] == "=":
                if text in names:
                    raise UsageError(f"{quote(text)} at character {place + 1} is repeated")
                self.at += 2
                names[text] = self.value(depth)
            else:
                values.append(self.value(depth))
            if not self.goes_on(")"):
                break
        return values, names


def tokens_of(text: str, at: int) -> list[tuple[str, str, int]]:
    """Return the tokens from a place on with their kinds and places, and an end."""
    text = text.rstrip()
    found = []
    pattern: Any = TOKEN
    for match in iter(pattern.scanner(text, at).match, None):
        kind = match.lastgroup
        found.append((kind, match[kind], match.start(kind)))
        at = match.end()
    if at < len(text):
        raise UsageError(f"unexpected {quote(text[at : at + 20])} at character {at + 1}")
    return [*found, END]


def number_of(kind: str, text: str, place: int) -> int | float | complex:
    """Return a number that is not too long."""
    if len(text) > LONGEST_NUMBER and kind == "number":
        raise UsageError(f"a number of {len(text)} characters at character {place + 1}")
    if kind == "complex":
        return complex(text.strip("()"))
    return int(text) if text.lstrip("+-").isdecimal() else float(text)
