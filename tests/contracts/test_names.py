"""A name has one meaning in the package."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import opperf

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

PACKAGE = Path(opperf.__file__).parent


def sources() -> dict[str, str]:
    """Return the text of each module by its path in the package."""
    return {str(path.relative_to(PACKAGE)): path.read_text() for path in PACKAGE.rglob("*.py")}


def classes(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the classes that a module or a class defines; a function's own are nobody else's."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield node.name
            yield from classes(node.body)
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            yield from classes(node.body)


def shared(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the class names that are defined more than once, and where."""
    found = defaultdict(list)
    for path, text in sorted(texts.items()):
        for name in classes(ast.parse(text).body):
            found[name].append(path)
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def test_no_two_classes_have_one_name() -> None:
    """Whoever reads `Comparison` or `Row` knows which, wherever it is read."""
    assert shared(sources()) == {}


def test_a_name_of_two_classes_is_found() -> None:
    """In two modules or in one, in a class or under a condition; not within functions."""
    texts = {
        "a.py": "class Row: pass\nclass Table:\n    class Cell: pass\n",
        "b.py": "if True:\n    class Row: pass\nclass Cell: pass\n",
        "c.py": "def made():\n    class Table: pass\n    return Table\n",
    }
    assert shared(texts) == {"Cell": ["a.py", "b.py"], "Row": ["a.py", "b.py"]}
