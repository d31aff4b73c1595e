"""Shape inference: the shapes that are left out, from those that are given.

A declaration states the shapes of one operator in several sizes. What holds in all of these is a
rule of the operator: a bias has as many elements as a weight has filters, a mask the data's shape,
four gates four times the units. The rules propose shapes; whether one fits is for the declaration
to say, which checks every set of inputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from math import prod
from typing import TYPE_CHECKING, TypeAlias, cast

from opperf.core.tensors.bounds import MOST_ELEMENTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from opperf.core.tensors.tensor import Shape

Inputs: TypeAlias = "Mapping[str, object]"

MOST = 64
"""Combinations that are tried at most, of all shapes and of the dimensions of one."""


@dataclass(frozen=True)
class Number:
    """A number that a dimension may depend on: its value in each example, and as given.

    It may be that of a dimension over an attribute, which the divisors are.
    """

    values: Sequence[int]
    given: int
    divisors: Sequence[int]
    divisor: int = 1

    def scale(self, target: Sequence[int]) -> Fraction:
        """Return what the target is now if it is the same multiple in each example, else 0."""
        products = [t * d for t, d in zip(target, self.divisors, strict=True)]
        product, value = products[0], self.values[0]
        pairs = zip(products, self.values, strict=True)
        if not value or any(p * value != product * v for p, v in pairs):
            return Fraction(0)
        return Fraction(product * self.given, value * self.divisor)


@dataclass(frozen=True)
class ShapeRules:
    """Shape rules that hold in some example inputs, applied to the inputs that are known.

    Args:
        examples: The inputs of declared sizes, each with every tensor and attribute.
        usual: The inputs of the size that was asked for, where no rule applies.
        given: The shapes and attributes that hold; a tensor that is left out is not in it.
        proportional: Whether a dimension under no rule shrinks with that of the same axis, or is
            equal to it; none grows by itself, for memory's sake.
    """

    examples: Sequence[Inputs]
    usual: Inputs
    given: Inputs
    proportional: bool = False

    def shapes(self, name: str) -> Iterator[Shape]:
        """Yield shapes that a tensor may have: part of another's, or dimension by dimension."""
        sources = [source for source, value in self.given.items() if isinstance(value, tuple)]
        for source in sources:
            yield from self.parts(name, source)
        default = shape_of(self.usual, name)
        if all(len(shape_of(example, name)) == len(default) for example in self.examples):
            numbers = [[*self.numbers(source)] for source in sources]
            choices = [
                [*dict.fromkeys([*self.dimensions(name, axis, numbers), size])]
                for axis, size in enumerate(default)
            ]
            yield from islice(product(*choices), MOST)
        yield default

    def parts(self, name: str, source: str) -> Iterator[Shape]:
        """Yield the part of a given shape that the tensor is in each example.

        Counted from the ends, it is the same of data of more or fewer dimensions.
        """
        pairs = [(shape_of(example, name), shape_of(example, source)) for example in self.examples]
        given, least = shape_of(self.given, source), min(len(whole) for _, whole in pairs)
        for left, right in product(range(least + 1), repeat=2):
            if all(part == whole[left : len(whole) - right] for part, whole in pairs):
                yield given[left : max(0, len(given) - right)]

    def dimensions(self, name: str, axis: int, sources: Sequence[Sequence[Number]]) -> list[int]:
        """Return the values that a dimension may have: equal to another, else a multiple of it."""
        target = [shape_of(example, name)[axis] for example in self.examples]
        numbers = [number for source in sources for number in source]
        equal = [number.given for number in numbers if [*number.values] == target]
        if self.proportional:
            same = [source[axis if axis < len(source) - 1 else 0] for source in sources]
            smaller = [int(n.scale(target)) for n in same if 1 <= n.scale(target) <= target[0]]
            return [*equal, *smaller, *(number.given for number in same)]
        if len({*target}) == 1:
            return equal  # it is a constant, of which anything is a multiple
        multiples = [*filter(None, (number.scale(target) for number in numbers))]
        if not multiples:
            multiples = [n.scale(target) for n in self.with_attributes(numbers)]
        return [*equal, *(int(m) for m in multiples if m >= 1 and m.denominator == 1)]

    def numbers(self, source: str) -> Iterator[Number]:
        """Yield a shape's dimensions, from the first, from the last, and how many elements."""
        shapes, given = [shape_of(e, source) for e in self.examples], shape_of(self.given, source)
        least, ones = min(len(given), *map(len, shapes)), [1] * len(shapes)
        for index in (*range(least), *range(-least, 0)):
            yield Number([shape[index] for shape in shapes], given[index], ones)
        yield Number([*map(prod, shapes)], prod(given), ones)

    def with_attributes(self, numbers: Sequence[Number]) -> Iterator[Number]:
        """Yield the numbers times each whole attribute and divided by it."""
        for name, value in self.given.items():
            values = [value, *(example[name] for example in self.examples)]
            if all(type(v) is int and v > 0 for v in values):
                now, *factors = cast("list[int]", values)
                for n in numbers:
                    products = [v * f for v, f in zip(n.values, factors, strict=True)]
                    yield Number(products, n.given * now, n.divisors)
                    yield Number(n.values, n.given, factors, now)


def shape_of(inputs: Inputs, name: str) -> Shape:
    """Return the shape of a tensor."""
    return cast("Shape", inputs[name])


def proposals(
    sizes: Iterable[Inputs], usual: Inputs, inputs: Inputs, left_out: Sequence[str]
) -> Iterator[dict[str, Shape]]:
    """Yield shapes for the tensors that are left out, the likeliest first.

    By what holds in every size; else by what holds in the one that was asked for, `usual`, where
    filters may be as many as channels, and indices fewer than what they point into.
    """
    if not left_out:
        return
    for rules in (
        ShapeRules([*sizes], usual, inputs),
        ShapeRules([usual], usual, inputs),
        ShapeRules([usual], usual, inputs, proportional=True),
    ):
        found = [dict.fromkeys(filter(is_possible, rules.shapes(name))) for name in left_out]
        for chosen in islice(product(*found), MOST):
            yield dict(zip(left_out, chosen, strict=True))


def is_possible(shape: Shape) -> bool:
    """Return whether a tensor may have so many elements."""
    return prod(shape) <= MOST_ELEMENTS
