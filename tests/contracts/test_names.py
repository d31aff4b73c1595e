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
    return {name: paths for name, paths in found.items() if len(paths) > 1 and not twins(paths)}


def twins(paths: Iterable[str]) -> bool:
    """Return whether they are of the same network in one framework and another."""
    places = [path.split("/") for path in paths]
    rooms = [place[1] for place in places if place[0] == "networks" and len(place) > 2]
    alike = {tuple(place[2:]) for place in places}
    return len(set(rooms)) == len(places) and len(alike) == 1


def test_no_two_classes_have_one_name() -> None:
    """Whoever reads `Comparison` or `Row` knows which, wherever it is read."""
    assert shared(sources()) == {}


def test_a_name_of_two_classes_is_found() -> None:
    """In two modules or in one, in a class or under a condition; not within functions."""
    texts = {
        "a.py": "class Row: pass\nclass Table:\n    class Cell: pass\n",
        "b.py": "if True:\n    class Row: pass\nclass Cell: pass\n",
        "networks/a/lstm.py": "class Lstm: pass",
        "networks/b/lstm.py": "class Lstm: pass",
        "c.py": "def made():\n    class Table: pass\n    return Table\n",
    }
    assert shared(texts) == {"Cell": ["a.py", "b.py"], "Row": ["a.py", "b.py"]}


PARTICIPLES = frozenset((
    "allowed", "asked", "awaited", "called", "chosen", "counted", "decoded", "described", "done",
    "drawn", "explained", "fitted", "folded", "handed", "heard", "held", "isolated", "joined",
    "judged", "kept", "known", "labeled", "laid", "listed", "loaded", "locked", "lost", "meant",
    "measured", "met", "moved", "needed", "offered", "passed", "planned", "plugged", "printed",
    "provided", "reached", "recorded", "registered", "remembered", "required", "said", "saved",
    "sealed", "seen", "sent", "shown", "shuffled", "skipped", "spared", "stacked", "started",
    "stored", "submitted", "supposed", "taken", "tested", "told", "trained", "translated",
    "tuned", "typed", "undisturbed", "unshared", "used", "wanted", "watched", "weighed", "woken",
    "yielded",
))  # fmt: skip
"""What says that something was done, and neither what it is (a noun) nor what is done (a verb)."""


def participles(texts: Mapping[str, str]) -> list[str]:
    """Return the functions and parameters whose whole name is one of `PARTICIPLES`, and where."""
    found = []
    for path, text in sorted(texts.items()):
        for node in ast.walk(ast.parse(text)):
            name = {ast.FunctionDef: "name", ast.AsyncFunctionDef: "name", ast.arg: "arg"}.get(
                type(node)
            )
            if name and getattr(node, name) in PARTICIPLES:
                found.append(f"{path}: {getattr(node, name)}")
    return found


def test_a_name_says_a_thing_or_an_action() -> None:
    """`shown`, `told` or `known` say neither what a function returns nor what a parameter is."""
    assert participles(sources()) == []


def test_a_participle_is_found() -> None:
    """As a function, a method or a parameter of any kind, by its whole name only."""
    text = (
        "def told(): pass\n"
        "class Table:\n    async def known(self): pass\n"
        "def show(a, *, spared, shown_rows): lambda seen: seen\n"
    )
    names = ["told", "known", "spared", "seen"]
    assert sorted(participles({"a.py": text})) == sorted(f"a.py: {name}" for name in names)
