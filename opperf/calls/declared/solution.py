"""A declaration's inputs, found from what a call was given by what its call looks like."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from math import isclose
from typing import TYPE_CHECKING, Any

from opperf.calls.declared.pattern import ANY_TENSOR
from opperf.calls.format.values import CallTensor, Constant
from opperf.core.errors import UnsupportedError, quote
from opperf.core.tensors.tensor import DTYPES, FLOATS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.calls.declared.pattern import Pattern
    from opperf.core.tensors.tensor import Shape, Tensor

MASK = "bool"
USUAL = ("strided", "preserve_format")
"""A layout and a memory format that say what holds where none is given."""
LAYOUT, CHANNELS_FIRST = "layout", ("NCW", "NCHW", "NCDHW")
"""How MXNet calls the order of axes that holds where none is given."""
DILATION = "dilate"
"""What is 1 in MXNet along each axis where nothing is given."""


@dataclass
class Solution:
    """The inputs of a declaration, as one argument after the other tells them.

    `places` says which argument each tensor is, with its axes in which order; `dense` the tensors
    that lie in memory otherwise than the declaration's.
    """

    tensors: Mapping[str, Tensor]
    given: Mapping[str, Any]
    found: dict[str, Any] = field(default_factory=dict)
    places: dict[str, tuple[str, tuple[int, ...]]] = field(default_factory=dict)
    dense: list[str] = field(default_factory=list)
    matched: int = 0
    computed_in: list[str] = field(default_factory=list)
    later: list[tuple[str, ast.expr, Any]] = field(default_factory=list)

    def solve(self, pattern: Pattern) -> None:
        """Find all inputs.

        Raises:
            UnsupportedError: an argument is something that the declaration cannot say.
        """
        for (name, value), node in zip(self.given.items(), pattern.arguments, strict=True):
            self.match(name, node, without_usual(name, value))
            self.matched += 1
        for dtype in self.computed_in[:1]:
            self.found.setdefault("dtype", dtype)
        for name, node in pattern.shapes.items():
            self.bind(name, name, self.shape_of(node))
        for name, node, value in self.later:
            if self.size_of(node, self.found) != plain(value):
                raise self.misfit(name, value, f"{self.size_of(node, self.found)}")

    def match(self, name: str, node: ast.expr, value: Any) -> None:
        """Compare an argument with its pattern, and take from it what it says of the inputs."""
        match node:
            case ast.Constant() | ast.UnaryOp(op=ast.USub()):
                self.match_constant(name, node, value)
            case ast.Name(id=word):
                self.match_word(name, word, value)
            case ast.UnaryOp(operand=ast.Name(id=word)) | ast.BinOp(right=ast.Name(id=word)):
                self.match_reverse(name, word, value)
            case ast.Subscript(value=ast.Name(id=word), slice=ast.Tuple() as order):
                self.match_tensor(name, word, ast.literal_eval(order), value)
            case ast.Compare(left=ast.Name(id=word)):
                self.match_mask(name, word, value)
            case ast.List(elts=nodes):
                self.match_list(name, nodes, value)
            case _:
                self.later.append((name, node, value))

    def match_constant(self, name: str, node: ast.expr, value: Any) -> None:
        """Require what is always the same; "..." is anything."""
        constant = ast.literal_eval(node)
        if constant is not ... and not same(constant, value):
            raise self.misfit(name, value, repr(constant))

    def match_word(self, name: str, word: str, value: Any) -> None:
        """Take a tensor, an element type or an attribute."""
        if word == ANY_TENSOR or word in self.tensors:
            self.match_tensor(name, word, None, value)
            return
        is_type = value in DTYPES or (isinstance(value, Constant) and value.kind == "dtype")
        if isinstance(value, CallTensor) or (word == "dtype" and not is_type):
            raise self.misfit(name, value, word)
        self.bind(name, word, plain(value))

    def match_reverse(self, name: str, word: str, value: Any) -> None:
        """Take an attribute from what is its contrary: "not adjoint", "1 - momentum"."""
        if not isinstance(value, (bool, int, float)):
            raise self.misfit(name, value, "a number")
        self.bind(name, word, not value if isinstance(value, bool) else round(1 - value, 15))

    def match_mask(self, name: str, word: str, value: Any) -> None:
        """Take the shape of an input from the truth values that are made of it."""
        if not isinstance(value, CallTensor) or value.dtype != MASK:
            raise self.misfit(name, value, "a mask")
        order = tuple(range(len(value.shape)))
        self.bind(name, word, value.shape)
        self.places[word] = name, order
        if not lies(value, value.shape, order):
            self.dense.append(name)

    def match_list(self, name: str, nodes: list[ast.expr], value: Any) -> None:
        """Take one item after the other."""
        if not isinstance(value, list) or len(value) != len(nodes):
            raise self.misfit(name, value, f"a list of {len(nodes)}")
        for at, (node, item) in enumerate(zip(nodes, value, strict=True)):
            self.match(f"{name}[{at}]", node, item)

    def match_tensor(self, name: str, word: str, order: tuple[int, ...] | None, value: Any) -> None:
        """Take the shape and the element type of a tensor."""
        if not isinstance(value, CallTensor) or value.layout != "strided":
            raise self.misfit(name, value, "a tensor")
        if word == ANY_TENSOR:
            if value.dtype in FLOATS:
                self.computed_in.append(value.dtype)
            if not lies(value, value.shape, tuple(range(len(value.shape)))):
                self.dense.append(name)
            return
        if order is None:
            order = tuple(range(len(value.shape)))
        if len(order) != len(value.shape):
            raise self.misfit(name, value, f"a tensor of {len(order)} dimensions")
        shape = tuple(value.shape[order.index(axis)] for axis in range(len(order)))
        self.bind(name, word, shape)
        own = self.tensors[word].dtype
        if own is None:
            self.bind(name, "dtype", value.dtype)
        elif own != value.dtype:
            raise self.misfit(name, value, own)
        self.places[word] = name, order
        if not lies(value, shape, order):
            self.dense.append(name)

    def bind(self, name: str, word: str, value: Any) -> None:
        """Note an input, which must be what it was found to be before."""
        if word in self.found and not same(self.found[word], value):
            raise self.misfit(name, value, f"{word}, which is {quote(self.found[word])}")
        self.found.setdefault(word, value)

    def shape_of(self, node: ast.expr) -> Any:
        """Return the shape that is written in terms of the arguments."""
        if isinstance(node, ast.List):
            return tuple(self.size_of(each, self.given) for each in node.elts)
        return self.size_of(node, self.given)

    def size_of(self, node: ast.expr, values: Mapping[str, Any]) -> Any:
        """Return what a number or a shape stands for, in terms of arguments or of inputs."""
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=word):
                return plain(values.get(word))
            case ast.BinOp(left=one, op=ast.FloorDiv(), right=other):
                return self.size_of(one, values) // max(self.size_of(other, values), 1)
            case ast.Attribute(value=inner):
                return self.shape_within(inner, values)
            case ast.Subscript(value=inner, slice=at):
                whole, position = self.size_of(inner, values), ast.literal_eval(at)
                if isinstance(whole, tuple) and -len(whole) <= position < len(whole):
                    return whole[position]
        raise UnsupportedError(f"it has no {ast.unparse(node)}")

    def shape_within(self, node: ast.expr, values: Mapping[str, Any]) -> Shape:
        """Return the shape of a tensor among arguments (also in a list) or inputs."""
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            listed, at = values.get(node.value.id), ast.literal_eval(node.slice)
            value = listed[at] if isinstance(listed, list) and at < len(listed) else None
        else:
            value = values.get(ast.unparse(node))
        found = value.shape if isinstance(value, CallTensor) else value
        if not isinstance(found, tuple):
            raise UnsupportedError(f"{ast.unparse(node)} is no tensor")
        return found

    def misfit(self, name: str, value: Any, expected: str) -> UnsupportedError:
        """Return the error of an argument that the declaration does not say."""
        return UnsupportedError(f"{name} is {text_of(value)}, not {expected}")


def same(one: Any, other: Any) -> bool:
    """Return whether two values are the same; truth values are no numbers."""
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(same(*pair) for pair in pairs)
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return isclose(one, other, rel_tol=1e-12)
    return bool(one == (other.name if isinstance(other, Constant) else other))


def without_usual(name: str, value: Any) -> Any:
    """Return an argument as it is where nobody states it, if it says no more than that."""
    if isinstance(value, Constant) and value.name in USUAL:
        return None
    if name == LAYOUT and isinstance(value, str) and value in CHANNELS_FIRST:
        return None
    return [] if name == DILATION and isinstance(value, list) and {*value} == {1} else value


def plain(value: Any) -> Any:
    """Return a value as declarations have it: lists as tuples, constants by their names."""
    if isinstance(value, (list, tuple)):
        return tuple(map(plain, value))
    return value.name if isinstance(value, Constant) else value


def lies(tensor: CallTensor, shape: Shape, order: tuple[int, ...]) -> bool:
    """Return whether a tensor lies in memory as a contiguous one whose axes were reordered."""
    steps, step = [0] * len(shape), 1
    for axis in reversed(range(len(shape))):
        steps[axis] = step
        step *= max(shape[axis], 1)
    strides = tensor.strides
    if strides is None:
        return order == tuple(range(len(order))) or lies_alike(tensor.shape, steps, order)
    return all(size <= 1 or strides[at] == steps[order[at]] for at, size in enumerate(tensor.shape))


def lies_alike(shape: Shape, steps: list[int], order: tuple[int, ...]) -> bool:
    """Return whether a contiguous tensor lies as one with reordered axes, these being short."""
    usual, step = [0] * len(shape), 1
    for axis in reversed(range(len(shape))):
        usual[axis] = step
        step *= max(shape[axis], 1)
    return all(size <= 1 or usual[at] == steps[order[at]] for at, size in enumerate(shape))


def text_of(value: Any) -> str:
    """Return an argument as a reason states it."""
    if isinstance(value, CallTensor):
        return f"a tensor {value.dtype} {value.shape}"
    if isinstance(value, list) and any(isinstance(item, CallTensor) for item in value):
        return f"a list of {len(value)} tensors"
    return value.name if isinstance(value, Constant) else quote(value)
