"""Sizes of an exported program that are texts of SymPy, which evaluates them as Python."""

from __future__ import annotations

import ast
import re

LONGEST = 10_000
"""Characters of an expression."""
NAMED = frozenset({"Symbol", "Dummy", "Float"})
"""What takes a text."""
FUNCTIONS = NAMED | {
    "Integer", "Rational", "Add", "Mul", "Pow", "Max", "Min", "Mod", "Abs", "floor", "ceiling",
    "And", "Or", "Not", "Equality", "Unequality", "StrictLessThan", "StrictGreaterThan",
    "LessThan", "GreaterThan", "Eq", "Ne", "Lt", "Le", "Gt", "Ge", "Piecewise", "ExprCondPair",
    "FloorDiv", "ModularIndexing", "Where", "PythonMod", "CleanDiv", "CeilToInt", "FloorToInt",
    "CeilDiv", "LShift", "RShift", "PowByNatural", "FloatPow", "FloatTrueDiv", "IntTrueDiv",
    "IsNonOverlappingAndDenseIndicator", "TruncToFloat", "TruncToInt", "RoundToInt",
    "RoundDecimal", "ToFloat", "Identity",
}  # fmt: skip
ALLOWED = (
    ast.Expression, ast.Call, ast.Load, ast.keyword, ast.BinOp,
    ast.UnaryOp, ast.Compare, ast.operator, ast.unaryop, ast.cmpop,
)  # fmt: skip


def is_harmless(text: str) -> bool:
    """Return whether an expression is arithmetic of symbols."""
    if len(text) > LONGEST or not text.isascii() or not text.isprintable():
        return False
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    called = [node.func.id if isinstance(node.func, ast.Name) else "" for node in calls]
    texts = {
        argument
        for name, node in zip(called, calls, strict=True)
        if name in NAMED
        for argument in node.args[:1]
    }
    return FUNCTIONS.issuperset(called) and all(
        is_arithmetic(node, in_name=node in texts) for node in ast.walk(tree)
    )


def is_arithmetic(node: ast.AST, *, in_name: bool) -> bool:
    """Return whether a node of a tree may stand in an expression."""
    if isinstance(node, ast.Name):
        return "__" not in node.id
    if isinstance(node, ast.Constant):
        return is_plain(node.value, in_name=in_name)
    return isinstance(node, ALLOWED)


def is_plain(value: object, *, in_name: bool) -> bool:
    """Return whether a constant is a number, or a text where a name or a number may stand."""
    if isinstance(value, str):
        return in_name and re.fullmatch(r"[\w.+-]+", value) is not None
    return isinstance(value, (bool, int, float))
