"""Finding a place in a module by the shape of its syntax tree, and putting another tree there.

A place is the name of a function, a method or, for the module's own statements, nothing, and a
fragment that stands there once. Names and attributes may have other names than in the fragment,
each everywhere the same other one: a rename does not lose the place, a change of what is computed
does, and says so.
"""

from __future__ import annotations

import ast
import builtins
import copy
from dataclasses import dataclass, field
from textwrap import dedent
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = {ast.Name: "id", ast.Attribute: "attr", ast.arg: "arg"}
IGNORED = {"ctx", "lineno", "col_offset", "end_lineno", "end_col_offset", "type_comment", "kind"}


class StaleError(Exception):
    """A place that is not found, or is found more than once."""


@dataclass
class Match:
    """Statements, or one node, that look like a fragment, and the names that they have instead."""

    parent: ast.AST
    name: str
    start: int | None
    count: int
    renamed: dict[tuple[str, str], str] = field(default_factory=dict)

    @property
    def is_exact(self) -> bool:
        """Whether all names are those of the fragment."""
        return all(old == new for (_, old), new in self.renamed.items())

    def replace(self, new: list[ast.AST]) -> None:
        """Put other nodes there."""
        if self.start is None:
            (only,) = new
            setattr(self.parent, self.name, only)
        else:
            getattr(self.parent, self.name)[self.start : self.start + self.count] = new


def mutated(source: str, place: str, old: str, new: str) -> ast.Module:
    """Return the module with `new` in place of `old`.

    Raises:
        StaleError: `old` is not there, or more than once, or `new` names what the module has not.
    """
    tree = ast.parse(source)
    found = [
        (match, to)
        for wanted, to in zip(fragments(old), fragments(new), strict=False)
        for match in matches(nodes_at(tree, place), wanted)
    ]
    chosen = [each for each in found if each[0].is_exact] or found
    where = place or "the module"
    if len(chosen) != 1:
        raise StaleError(f"{where} has {len(chosen)} times: {old}")
    ((match, to),) = chosen
    renaming = Renaming(match.renamed)
    there = [renaming.visit(copy.deepcopy(node)) for node in to]
    if missing := read(there) - bound([tree, *there]) - set(dir(builtins)):
        raise StaleError(f"{where} knows no {', '.join(sorted(missing))}: {new}")
    match.replace(there)
    return ast.fix_missing_locations(tree)


def fragments(text: str) -> Iterator[list[ast.AST]]:
    """Yield what is meant: an expression, or statements, or one that may be an argument as well."""
    body = ast.parse(dedent(text)).body
    first = body[0] if body else ast.Pass()
    yield [first.value] if len(body) == 1 and isinstance(first, ast.Expr) else body or [first]
    if isinstance(first, ast.Assign) and isinstance(first.targets[0], ast.Name):
        yield [ast.keyword(first.targets[0].id, first.value)]


def nodes_at(tree: ast.Module, place: str) -> Iterator[ast.AST]:
    """Yield the nodes of the function of this name; of none, those of the module's own lines."""
    if not place:
        yield tree
        yield from (
            node
            for statement in tree.body
            if not isinstance(statement, (ast.FunctionDef, ast.ClassDef))
            for node in ast.walk(statement)
        )
        return
    node: ast.AST = tree
    for part in place.split("."):
        children = {vars(child).get("name"): child for child in vars(node)["body"]}
        if part not in children:
            raise StaleError(f"no {place}")
        node = children[part]
    yield from ast.walk(node)


def matches(parents: Iterator[ast.AST], wanted: list[ast.AST]) -> Iterator[Match]:
    """Yield each place in these nodes that looks like the ones wanted."""
    for parent in parents:
        for name, value in ast.iter_fields(parent):
            nodes = value if isinstance(value, list) else [value]
            for start in range(len(nodes) - len(wanted) + 1):
                match = Match(parent, name, start if nodes is value else None, len(wanted))
                pairs = zip(wanted, nodes[start : start + len(wanted)], strict=True)
                if all(alike(old, node, match.renamed) for old, node in pairs):
                    yield match


def alike(old: Any, node: Any, renamed: dict[tuple[str, str], str]) -> bool:
    """Return whether two trees have one shape, each name having one other everywhere."""
    if type(old) is not type(node):
        return False
    if isinstance(old, list):
        return len(old) == len(node) and all(
            alike(a, b, renamed) for a, b in zip(old, node, strict=True)
        )
    if not isinstance(old, ast.AST):
        return bool(old == node)
    key = NAMES.get(type(old), "")
    if key:
        name = getattr(node, key)
        if renamed.setdefault((key, getattr(old, key)), name) != name:
            return False
    rest = {*old._fields} - IGNORED - {key}
    return all(alike(getattr(old, name), getattr(node, name), renamed) for name in rest)


class Renaming(ast.NodeTransformer):
    """Gives the names of a fragment those that they have in the module."""

    def __init__(self, renamed: dict[tuple[str, str], str]) -> None:
        """Take what is renamed."""
        self.renamed = renamed

    def visit(self, node: ast.AST) -> ast.AST:
        """Rename this node and those below."""
        key = NAMES.get(type(node), "")
        if key:
            name = getattr(node, key)
            setattr(node, key, self.renamed.get((key, name), name))
        self.generic_visit(node)
        return node


def read(nodes: list[ast.AST]) -> set[str]:
    """Return the names that these trees read."""
    walked = [node for root in nodes for node in ast.walk(root)]
    return {
        node.id for node in walked if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def bound(nodes: list[ast.AST]) -> set[str]:
    """Return the names that these trees assign, define, import or take as parameters."""
    walked = [node for root in nodes for node in ast.walk(root)]
    return {
        name
        for node in walked
        for name in (vars(node).get(key) for key in ("id", "arg", "asname", "name"))
        if name and not (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    }
