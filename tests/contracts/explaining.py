"""What an operator's argument is in terms of a declaration's inputs, from several calls of it."""

from __future__ import annotations

import ast
from itertools import permutations, product
from math import isclose
from typing import TYPE_CHECKING, Any

from tests.contracts.observed import Named, Seen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.declaring.declaration import Declaration
    from tests.contracts.observed import Observed
    from tests.contracts.probing import Probe


class UnclearError(Exception):
    """Why a declaration's call is not written down."""


def mentioned(name: str, text: str) -> bool:
    """Return whether an attribute is a word of a pattern."""
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(ast.parse(f"f({text})")))


def matters(name: str, found: Sequence[Probe]) -> bool:
    """Return whether a call differs where this attribute alone does."""
    base, first = found[0]
    for operator, call in found[1:]:
        rest = [n for n in base.inputs if n not in (name, "initializer")]
        only = all(operator.inputs.get(n) == base.inputs[n] for n in rest)
        if (
            only
            and operator.inputs.get(name) != base.inputs.get(name)
            and call.given != first.given
        ):
            return True
    return False


def given_as(name: str, found: Sequence[Probe]) -> bool:
    """Return whether a tensor is an argument."""
    return all(any(seen.name == name for seen in tensors(call)) for _, call in found)


def tensors(call: Observed) -> Iterator[Seen]:
    """Yield the tensors among a call's arguments."""
    for value in call.given.values():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, Seen):
                yield item


def explain(
    kind: type[Declaration],
    direction: str,
    values: list[Any],
    found: Sequence[Probe],
    *,
    fixed: bool,
) -> str:
    """Return what an argument is in terms of the inputs."""
    if any(isinstance(value, Seen) for value in values):
        return explain_tensor(kind, direction, values, fixed=fixed)
    if all(isinstance(value, Named) for value in values):
        return explain_named(values, found)
    constant = all(value == values[0] and type(value) is type(values[0]) for value in values)
    if constant and not (isinstance(values[0], list) and any_named(values[0])):
        if isinstance(values[0], Named):
            raise UnclearError(f"{values[0]}")
        return repr(values[0])
    if word := as_a_whole(values, found):
        return word
    if all(isinstance(value, list) for value in values):
        if len({len(value) for value in values}) > 1:
            raise UnclearError(f"a list of several lengths, such as {values[0]}")
        parts = [
            explain(kind, direction, [value[at] for value in values], found, fixed=fixed)
            for at in range(len(values[0]))
        ]
        return f"[{', '.join(parts)}]"
    raise UnclearError(f"nothing is {values[:4]}")


def any_named(values: list[Any]) -> bool:
    """Return whether a list has tensors or the like."""
    return any(isinstance(value, (Seen, Named)) for value in values)


def explain_tensor(
    kind: type[Declaration], direction: str, values: list[Any], *, fixed: bool
) -> str:
    """Return which input a tensor is."""
    if not all(isinstance(value, Seen) for value in values):
        raise UnclearError("a tensor in some calls only")
    (name, *others) = {value.name for value in values}
    if others:
        raise UnclearError("one tensor in one call, another in another")
    if name is None:
        if direction != "backward":
            raise UnclearError("a tensor that is none of the inputs")
        return "_"
    if len({value.is_mask for value in values}) > 1:
        raise UnclearError(f"{name} as a mask in some calls only")
    return f"{name} != 0" if values[0].is_mask else explain_axes(kind, name, values, fixed=fixed)


def explain_axes(kind: type[Declaration], name: str, values: list[Seen], *, fixed: bool) -> str:
    """Return an input by its name, and by the order of its axes where that is another one."""
    if any(value.axes is None for value in values):
        raise UnclearError(f"a view of {name}")
    own = kind.tensors[name].dtype
    if own is not None and {value.dtype for value in values} != {own}:
        raise UnclearError(f"{name} as {values[0].dtype}, declared as {own}")
    usual = all(value.axes == tuple(range(len(value.axes))) for value in values)
    if usual and not fixed:
        return name
    orders = {value.axes for value in values}
    if len(orders) > 1:
        raise UnclearError(f"the axes of {name} in several orders")
    order = values[0].axes
    return f"{name}[{', '.join(map(str, order))}{',' if len(order) == 1 else ''}]"


def explain_named(values: list[Any], found: Sequence[Probe]) -> str:
    """Return what an element type, a device or a layout is."""
    first = values[0]
    if first.kind == "dtype":
        if all(v.name == op.inputs["dtype"] for v, (op, _) in zip(values, found, strict=True)):
            return "dtype"
        return as_a_whole([value.name for value in values], found) or one_of(values)
    if first.kind == "device":
        return "..."
    return one_of(values)


def one_of(values: list[Any]) -> str:
    """Return the name that all have."""
    if len({value.name for value in values}) > 1:
        raise UnclearError(f"nothing is {values[:4]}")
    return repr(values[0].name)


def as_a_whole(values: list[Any], found: Sequence[Probe]) -> str | None:
    """Return the word that stands for a value in all calls."""
    kept: dict[str, None] | None = None
    for value, (operator, _) in zip(values, found, strict=True):
        words = dict.fromkeys(
            word for word, meant in vocabulary(operator).items() if equal(meant, value)
        )
        kept = words if kept is None else {word: None for word in kept if word in words}
    return next(iter(kept or ()), None)


def attributes(operator: Declaration) -> dict[str, Any]:
    """Return the attributes that can be given; some operators derive others from them."""
    usual = operator.defaults("small")
    return {name: value for name, value in operator.keywords.items() if name in usual}


def vocabulary(operator: Declaration) -> dict[str, Any]:
    """Return what patterns can say, the plainest first, and what that is here."""
    words: dict[str, Any] = {**attributes(operator), "dtype": operator.dtype}
    for name, value in attributes(operator).items():
        if isinstance(value, bool):
            words[f"not {name}"] = not value
        elif isinstance(value, (int, float)):
            words[f"1 - {name}"] = 1 - value
    for name, shape in operator.shapes.items():
        words[f"{name}.shape"] = shape
        for axis in range(len(shape)):
            words[f"{name}.shape[{axis}]"] = shape[axis]
        for axis in range(1, len(shape) + 1):
            words[f"{name}.shape[-{axis}]"] = shape[-axis]
    for one, other in permutations(operator.shapes, 2):
        for pair in product(enumerate(operator.shapes[one]), enumerate(operator.shapes[other])):
            (at, size), (to, least) = pair
            if least:
                words[f"{one}.shape[{at}] // {other}.shape[{to}]"] = size // least
    return words


def equal(meant: Any, value: Any) -> bool:
    """Return whether a value is what a word means."""
    if isinstance(meant, bool) or isinstance(value, bool):
        return meant is value
    if isinstance(meant, tuple) and isinstance(value, list):
        return len(meant) == len(value) and all(map(equal, meant, value))
    if isinstance(meant, (int, float)) and isinstance(value, (int, float)):
        return isclose(meant, value, rel_tol=1e-12)
    return type(meant) is type(value) and meant == value


def input_like(name: str, found: Sequence[Probe]) -> str:
    """Return an input that is no argument, in terms of the arguments: a shape, or a size."""
    if any(isinstance(operator.inputs[name], (bool, float, str)) for operator, _ in found):
        raise UnclearError(f"{name} changes the call, and no argument says how")
    if isinstance(found[0][0].inputs[name], int):
        word = common([sizes_like(operator.inputs[name], call) for operator, call in found])
        if word is None:
            raise UnclearError(f"{name} changes the call, and no argument says how")
        return word
    whole = common([
        {f"{word}.shape" for word, shape in shapes_of(call) if shape == operator.inputs[name]}
        for operator, call in found
    ])  # fmt: skip
    if whole:
        return whole
    if len({len(operator.inputs[name]) for operator, _ in found}) > 1:
        raise UnclearError(f"the shape of {name} is that of no argument")
    parts = []
    for axis in range(len(found[0][0].inputs[name])):
        word = common([sizes_like(op.inputs[name][axis], call) for op, call in found])
        if word is None:
            raise UnclearError(f"size {axis} of {name} is that of no argument")
        parts.append(word)
    return f"[{', '.join(parts)}]"


def shapes_of(call: Observed) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the arguments that are tensors, and their shapes."""
    for name, value in call.given.items():
        if isinstance(value, Seen):
            yield name, value.shape
        elif isinstance(value, list):
            for at, item in enumerate(value):
                if isinstance(item, Seen):
                    yield f"{name}[{at}]", item.shape


def sizes_like(size: int, call: Observed) -> set[str]:
    """Return the words for a size among the arguments."""
    found = set()
    for word, shape in shapes_of(call):
        for axis, each in enumerate(shape):
            if each == size:
                found |= {f"{word}.shape[{axis}]", f"{word}.shape[{axis - len(shape)}]"}
    for name, value in call.given.items():
        if equal(value, size):
            found.add(name)
        if isinstance(value, list):
            found |= {f"{name}[{at}]" for at, each in enumerate(value) if equal(each, size)}
    return found


def common(words: list[set[str]]) -> str | None:
    """Return the plainest of the words that all have."""
    kept = set.intersection(*words)
    return min(kept, key=lambda word: ("-" in word, len(word), word), default=None)
