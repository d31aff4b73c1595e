"""What an expression amounts to: each kind of node is one of a few, and no result grows large."""

from __future__ import annotations

import ast
import operator
import re
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias

from opperf.core.errors import UsageError, quote, unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Scalar: TypeAlias = "bool | int | float | str | None"

MOST_CHARACTERS = 10_000
"""Of a text that is a result."""
MOST_BITS = 64
"""Of a whole number that is a result, or an exponent's largest value."""
ARITHMETIC: Mapping[type[ast.operator], Callable[..., Scalar]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
COMPARISONS: Mapping[type[ast.cmpop], Callable[..., bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda left, right: operator.contains(right, left),
    ast.NotIn: lambda left, right: not operator.contains(right, left),
}
SIGNS: Mapping[type[ast.unaryop], Callable[..., Scalar]] = {
    ast.Not: operator.not_,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}
FUNCTIONS: Mapping[str, tuple[Callable[..., Scalar], int]] = {
    "float": (float, 1),
    "int": (int, 1),
    "len": (len, 1),
    "max": (max, 2),
    "min": (min, 2),
    "str": (str, 1),
}
"""With how many values each is called, at least for max and min, whose values are of one kind."""
NOT_CALCULATED = (TypeError, ValueError, ArithmeticError)


class Evaluator:
    """Values of nodes, with what stands for the references."""

    def __init__(self, references: Mapping[str, Scalar]) -> None:
        self.references = references
        self.marks = re.compile("|".join(map(re.escape, references)) or "(?!)")

    def text_of(self, mark: re.Match[str]) -> str:
        """Return what stands in a text in place of a mark."""
        return str(self.references[mark[0]])

    def value(self, node: ast.expr) -> Scalar:
        """Return the value of an expression; its depth has been checked."""
        handlers: Mapping[type, Callable[[Any], Scalar]] = {
            ast.Constant: self.constant,
            ast.Name: self.name,
            ast.UnaryOp: self.sign,
            ast.BinOp: self.calculate,
            ast.BoolOp: self.connect,
            ast.IfExp: self.choose,
            ast.Compare: self.compare,
            ast.Call: self.call,
        }
        if type(node) not in handlers:
            raise not_allowed(type(node).__name__)
        return handlers[type(node)](node)

    def name(self, node: ast.Name) -> Scalar:
        """Return what a reference outside a text stands for; there are no other names."""
        if node.id not in self.references:
            raise not_allowed(f"the name {quote(node.id)}")
        return self.references[node.id]

    def constant(self, node: ast.Constant) -> Scalar:
        """Return a number, a truth value, None, or a text with its references filled in."""
        constant = node.value
        if isinstance(constant, str):
            return bounded(self.marks.sub(self.text_of, constant))
        if constant is None or isinstance(constant, (bool, int, float)):
            return bounded(constant)
        raise UsageError(f"{quote(constant)} is neither a number nor a text")

    def sign(self, node: ast.UnaryOp) -> Scalar:
        """Return what `not`, - and + make of a value."""
        if type(node.op) not in SIGNS:
            raise not_allowed(type(node.op).__name__)
        return self.apply(SIGNS[type(node.op)], self.value(node.operand))

    def choose(self, node: ast.IfExp) -> Scalar:
        """Return one of two values; the other is not worked out."""
        return self.value(node.body if self.value(node.test) else node.orelse)

    def calculate(self, node: ast.BinOp) -> Scalar:
        """Return a sum, a product and the like, refused beforehand where it would be large."""
        kind, left, right = type(node.op), self.value(node.left), self.value(node.right)
        if kind not in ARITHMETIC:
            raise not_allowed(kind.__name__)
        texts = [value for value in (left, right) if isinstance(value, str)]
        if texts and kind not in {ast.Add, ast.Mult}:
            raise UsageError(f"{kind.__name__} is for numbers, not for {quote(texts[0])}")
        if texts and kind is ast.Mult:
            times = [value for value in (left, right) if isinstance(value, int)]
            if times and len(texts[0]) * times[0] > MOST_CHARACTERS:
                raise too_large()
        if kind is ast.Pow and isinstance(right, (int, float)) and abs(right) > MOST_BITS:
            raise too_large()
        return self.apply(ARITHMETIC[kind], left, right)

    def connect(self, node: ast.BoolOp) -> Scalar:
        """Return what `and` and `or` return in Python: the value that decides."""
        value: Scalar = None
        for part in node.values:
            value = self.value(part)
            if bool(value) is isinstance(node.op, ast.Or):
                break
        return value

    def compare(self, node: ast.Compare) -> bool:
        """Return whether each comparison of a chain holds."""
        left = self.value(node.left)
        for op, part in zip(node.ops, node.comparators, strict=True):
            right = self.value(part)
            identity = isinstance(op, (ast.Is, ast.IsNot))
            if identity and not any(v is None or isinstance(v, bool) for v in (left, right)):
                raise UsageError("`is` compares with True, False and None; write == for the rest")
            if not self.apply(COMPARISONS[type(op)], left, right):
                return False
            left = right
        return True

    def call(self, node: ast.Call) -> Scalar:
        """Return what one of the functions returns; no other can be named."""
        name = node.func.id if isinstance(node.func, ast.Name) else type(node.func).__name__
        if name not in FUNCTIONS:
            raise UsageError(unknown("function", name, FUNCTIONS))
        function, least = FUNCTIONS[name]
        values = [self.value(part) for part in node.args]
        most = len(values) if name in {"max", "min"} else least
        if node.keywords or not least <= len(values) <= most:
            raise UsageError(f"{name}() takes {least} {'values or more' if least > 1 else 'value'}")
        return self.apply(function, *values)

    def apply(self, function: Callable[..., Scalar], *values: Scalar) -> Scalar:
        """Return what a function makes of values that fit it."""
        try:
            return bounded(function(*values))
        except NOT_CALCULATED as error:
            said = quote(str(error).partition("\n")[0])[1:-1]
            raise UsageError(f"{', '.join(map(quote, values))}: {said}") from None


def bounded(value: Scalar) -> Scalar:
    """Return a result that is not too large, and no complex number, infinity or NaN."""
    if isinstance(value, str) and len(value) > MOST_CHARACTERS:
        raise too_large()
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise too_large()
    if isinstance(value, complex) or (isinstance(value, float) and not isfinite(value)):
        raise UsageError(f"{value} is no number that an expression may have")
    return value


def not_allowed(what: str) -> UsageError:
    """Return the error of a part of Python that expressions do not have."""
    return UsageError(f"{what} is not allowed in an expression; see docs/experiments.md")


def too_large() -> UsageError:
    """Return the error of a result beyond the limits."""
    limits = f"{MOST_CHARACTERS} characters, numbers of {MOST_BITS} bits"
    return UsageError(f"a result too large; allowed: texts of {limits}")
