"""The language of -k: which operators, and which of their measurements, are meant.

    any        = all ("or" all)*
    all        = one ("and" one)*
    one        = "not" one | "(" any ")" | comparison | word
    comparison = field ("=" | "==" | "!=") word | field ["not"] "in" "(" word ("," word)* ")"
    word       = letters, digits and _ . : / + - | anything in single or double quotes

A bare word matches a name that contains it and a category that equals it. Case never matters
in what is compared; it does in the keywords and the fields. A keyword that is quoted or being
compared is a word like any other.

What is not known yet is not refused yet: a fact that is absent or None leaves its comparison
undecided (Kleene's three-valued logic), and a filter matches whatever it does not rule out.
So one filter serves before a measurement, when there is no status, and after it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from opperf.core.errors import UsageError, unknown
from opperf.core.filters.expressions import NO, AllOf, AnyOf, FieldEquals, Not, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from opperf.core.filters.expressions import Expression, Facts

FIELDS = (
    "name", "category", "tag", "framework", "dtype", "size", "direction", "device", "status",
)  # fmt: skip
KEYWORDS = ("and", "or", "not", "in")
DEEPEST = 100
"""How many parentheses and nots may enclose each other; Python's own stack ends at 1000 calls."""
SHOWN = 60
"""How many characters an error shows on either side of the place it points to."""

TOKEN = re.compile(
    r"""(?P<quoted>'[^']*'|"[^"]*")|(?P<bare>[\w.:/+-]+)|(?P<unclosed>['"])|(?P<sign>==|!=|\S)"""
)


@dataclass(frozen=True)
class Filter:
    """A parsed filter: the text, its meaning, every comparison made in it and every bare word."""

    text: str
    expression: Expression
    comparisons: tuple[FieldEquals, ...]
    words: tuple[str, ...]

    def matches(self, facts: Facts) -> bool:
        """Return whether the filter may hold; facts that are missing rule nothing out."""
        return self.expression.decide(facts) != NO

    def values(self, field: str) -> set[str]:
        """Return all values, as written, that are compared to this field."""
        return {comparison.value for comparison in self.comparisons if comparison.field == field}


def parse(text: str, fields: Collection[str] = FIELDS) -> Filter:
    """Return the filter that the text means; an empty one matches everything.

    Raises:
        UsageError: It is no filter; the message points to the place with a caret.
    """
    parser = FilterParser(text, fields)
    expression = parser.everything()
    return Filter(text, expression, tuple(parser.comparisons), tuple(parser.words))


class Token(NamedTuple):
    """A word, a quoted word (without its quotes), a sign or the end, and where it begins."""

    kind: str
    text: str
    start: int

    def description(self) -> str:
        """Return what an error calls it."""
        if self.kind == "end":
            return "the end"
        shown = repr(self.text[:SHOWN])
        return f"{shown} that is never closed" if self.kind == "unclosed" else shown


def tokenize(text: str) -> list[Token]:
    """Return the tokens of the text, and one for its end."""
    tokens = []
    for match in TOKEN.finditer(text):
        kind, shown = str(match.lastgroup), match[0]
        tokens.append(Token(kind, shown[1:-1] if kind == "quoted" else shown, match.start()))
    return [*tokens, Token("end", "", len(text))]


class FilterParser:
    """Recursive descent: a method for every rule of the grammar above."""

    def __init__(self, text: str, fields: Collection[str]) -> None:
        """Stand before the first token."""
        self.text = text
        self.fields = fields
        self.tokens = tokenize(text)
        self.index = 0
        self.depth = 0
        self.comparisons: list[FieldEquals] = []
        self.words: list[str] = []

    @property
    def token(self) -> Token:
        """The token to be read next."""
        return self.tokens[self.index]

    def everything(self) -> Expression:
        """Read the whole text."""
        if self.token.kind == "end":
            return AllOf(())
        expression = self.any()
        if self.token.kind != "end":
            self.fail("'and', 'or' or the end")
        return expression

    def any(self) -> Expression:
        """Read alternatives."""
        parts = [self.all()]
        while self.take("or"):
            parts.append(self.all())
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def all(self) -> Expression:
        """Read conditions that must hold together."""
        parts = [self.one()]
        while self.take("and"):
            parts.append(self.one())
        return parts[0] if len(parts) == 1 else AllOf(tuple(parts))

    def one(self) -> Expression:
        """Read one condition."""
        if self.take("not"):
            return Not(self.operand(self.one))
        if self.take("("):
            expression = self.operand(self.any)
            self.expect(")")
            return expression
        if self.at_comparison():
            return self.comparison(self.field())
        if self.token.text in KEYWORDS and self.token.kind == "bare":
            self.fail("a word, a field, 'not' or '('")
        self.words.append(self.word("a word, a field, 'not' or '('"))
        return Word(self.words[-1])

    def operand(self, rule: Callable[[], Expression]) -> Expression:
        """Read what stands after a "not" or a parenthesis."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(f"at most {DEEPEST} parentheses and nots around each other")
        expression = rule()
        self.depth -= 1
        return expression

    def at_comparison(self) -> bool:
        """Return whether what comes next is an unquoted word that is compared to something."""
        word, *after = self.tokens[self.index : self.index + 3]
        texts = [token.text for token in after if token.kind in {"bare", "sign"}]
        compared = texts[:1] in (["="], ["=="], ["!="], ["in"]) or texts == ["not", "in"]
        return word.kind == "bare" and compared

    def field(self) -> str:
        """Read the name of a field."""
        name = self.token.text
        if name not in self.fields:
            raise UsageError(self.point(unknown("filter field", name, self.fields)))
        self.index += 1
        return name

    def comparison(self, field: str) -> Expression:
        """Read how a field is compared, and to what."""
        if self.take("!="):
            return Not(self.equal(field))
        if self.take("=") or self.take("=="):
            return self.equal(field)
        if self.take("not"):
            return Not(self.member(field))
        return self.member(field)

    def member(self, field: str) -> Expression:
        """Read "in" and the values that the field may have."""
        self.expect("in")
        self.expect("(")
        parts = [self.equal(field)]
        while self.take(","):
            parts.append(self.equal(field))
        self.expect(")")
        return AnyOf(tuple(parts))

    def equal(self, field: str) -> FieldEquals:
        """Read the value that the field is compared to."""
        comparison = FieldEquals(field, self.word(f"a value of {field}"))
        self.comparisons.append(comparison)
        return comparison

    def word(self, expected: str) -> str:
        """Read a word, quoted or not."""
        if self.token.kind not in {"bare", "quoted"}:
            self.fail(expected)
        self.index += 1
        return self.tokens[self.index - 1].text

    def take(self, text: str) -> bool:
        """Read this keyword or sign if it comes next."""
        taken = self.token.text == text and self.token.kind in {"bare", "sign"}
        self.index += taken
        return taken

    def expect(self, text: str) -> None:
        """Read this keyword or sign, which must come next."""
        if not self.take(text):
            self.fail(repr(text))

    def fail(self, expected: str) -> NoReturn:
        """Say what the grammar asks for at this place."""
        found = self.token.description()
        raise UsageError(self.point(f"cannot parse filter: expected {expected}, found {found}"))

    def point(self, message: str) -> str:
        """Return the message over the text and a caret at this place."""
        start = self.token.start
        before = "..." * (start > SHOWN) + self.text[max(0, start - SHOWN) : start]
        line = before + self.text[start : start + SHOWN]
        shown = "".join(char if char.isprintable() else " " for char in line)
        return f"{message}\n  {shown}\n  {' ' * len(before)}^"
