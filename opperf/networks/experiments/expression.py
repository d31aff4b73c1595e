"""The expressions of experiment files: a small part of Python, parsed by `ast`, never executed.

Numbers, texts, True, False and None; + - * / // % **; == != < <= > >= in, not in; `is` and
`is not` beside True, False or None; and, or, not; A if C else B; int, float, str, len, max, min.
"""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote
from opperf.networks.experiments.evaluation import Evaluator

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.networks.experiments.evaluation import Scalar

LONGEST = 2000
"""Characters of an expression as it stands in the file."""
DEEPEST = 40
"""Levels of an expression within an expression."""
NOT_PARSED = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError)
"""What Python's parser raises at texts that are no expression, or too nested a one."""


def evaluate(text: str, references: Mapping[str, Scalar] | None = None) -> Scalar:
    """Return what an expression amounts to.

    Args:
        text: The expression.
        references: Values by the marks that stand for them, as a name or within a text.

    Raises:
        UsageError: It is no expression, has something that is not allowed, or a result too large.
    """
    if len(text) > LONGEST:
        raise UsageError(f"an expression of more than {LONGEST} characters")
    return Evaluator(references or {}).value(parse(text.strip()))


@lru_cache(maxsize=1000)
def parse(text: str) -> ast.expr:
    """Return an expression's tree, which many runs share."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text, mode="eval").body
    except NOT_PARSED as error:
        said = error.msg if isinstance(error, SyntaxError) else "it cannot be parsed"
        raise UsageError(f"not an expression: {quote(said)[1:-1]}") from None
    check_depth(tree)
    return tree


def check_depth(tree: ast.expr) -> None:
    """Refuse an expression nested too deeply, without recursion."""
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return
    raise UsageError(f"an expression nested deeper than {DEEPEST} levels")
