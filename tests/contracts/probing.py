"""Inputs beside a declaration's smallest ones, and what an operator is given for them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from opperf.core.errors import OpperfError
from tests.contracts.observed import observe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.variant import Variant
    from opperf.declaring.declaration import Declaration
    from tests.contracts.observed import Observed

    Probe = tuple[Declaration, Observed]

RANKS = ((5,), (3, 5), (2, 3, 5), (2, 3, 4, 5))
OTHERS = ("initializer", "run_backward", "dtype")


def changes(kind: type[Declaration]) -> Iterator[dict[str, Any]]:
    """Yield inputs that differ from those of the smallest size in one thing."""
    usual = kind.defaults("small")
    for name, value in usual.items():
        if name in kind.tensors:
            for axis, size in enumerate(value):
                for other in (2 * size, size + 3):
                    yield {name: (*value[:axis], other, *value[axis + 1 :])}
            if len(value) == 2 and value[0] == value[1]:
                yield {name: (value[0] * 2, value[1] * 4)}
        elif name not in OTHERS:
            for other in other_values(value):
                yield {name: other}
    for dtype in kind.dtypes[:2]:
        yield {"dtype": dtype}


def spread(kind: type[Declaration]) -> Iterator[dict[str, Any]]:
    """Yield a few of these, of all kinds."""
    made = [*changes(kind)]
    yield from made[:: max(len(made) // 6, 1)]


def ranks(kind: type[Declaration]) -> Iterator[dict[str, Any]]:
    """Yield inputs of other numbers of dimensions."""
    for name in kind.tensors:
        for shape in RANKS:
            yield {name: shape}
    if len(kind.tensors) > 1:
        for shape in RANKS:
            yield dict.fromkeys(kind.tensors, shape)


def other_values(value: Any) -> Iterator[Any]:
    """Yield values of an attribute's kind that are others."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value + 2, value - 1, 0)
    elif isinstance(value, float):
        yield from (value * 1.25 + 0.125, value / 2)
    elif isinstance(value, tuple):
        for at, item in enumerate(value):
            for other in other_values(item):
                yield (*value[:at], other, *value[at + 1 :])
        if value and isinstance(value[0], int):
            yield tuple(each + 1 for each in value)
            yield value[:-1]
            yield value[1:]


def instances(kind: type[Declaration], made: Iterable[dict[str, Any]]) -> Iterator[Declaration]:
    """Yield the declaration on each of these inputs that it takes."""
    usual = kind.defaults("small")
    for inputs in made:
        given = {name: value for name, value in usual.items() if name not in kind.tensors}
        with suppress(OpperfError, ValueError, TypeError, IndexError):
            yield kind({**given, **inputs}, size="small")


def probes(
    framework: Framework, kind: type[Declaration], variant: Variant, direction: str
) -> tuple[list[Probe], list[Probe]]:
    """Return the calls at the smallest size and beside it, and those of other ranks."""
    base = kind(size="small")
    first = observe(framework, base, variant, direction)
    if first is None:
        return [], []
    near, far = [(base, first)], []
    for operator in instances(kind, changes(kind)):
        found = tried(framework, operator, variant, direction)
        if found and found.operator == first.operator:
            near.append((operator, found))
    for operator in instances(kind, ranks(kind)):
        found = tried(framework, operator, variant, direction)
        if found and found.operator == first.operator:
            far.append((operator, found))
    return near, far


def tried(
    framework: Framework, operator: Declaration, variant: Variant, direction: str
) -> Observed | None:
    """Return the call, None where the framework does not take the inputs."""
    try:
        return observe(framework, operator, variant, direction)
    except Exception:  # noqa: BLE001 - frameworks refuse in many ways
        framework.discard_errors()
        return None
