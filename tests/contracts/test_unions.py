"""Types that msgspec 0.22.0 frees as what they are not (its issue 717): there are none."""

from __future__ import annotations

import subprocess
import sys
from functools import reduce
from importlib import import_module
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin, get_type_hints

import pytest
from msgspec import Meta, Struct

import opperf

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(opperf.__file__).parent
CONTAINERS = (dict, frozenset, list, set, tuple)
PROCESSES = 6
PATTERNED = Annotated[str, Meta(pattern="^x")]


def unions(kind: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the alternatives of each union within a type, its own ones first."""
    arguments = get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        yield arguments
    for argument in arguments:
        yield from unions(argument)


def is_patterned(kind: Any) -> bool:
    """Return whether a type is text that msgspec holds against a pattern."""
    of_text = get_origin(kind) is Annotated and get_args(kind)[0] is str
    return of_text and any(one.pattern for one in get_args(kind)[1:] if isinstance(one, Meta))


def is_container(kind: Any) -> bool:
    """Return whether a type is of JSON's arrays or objects, and none of msgspec's classes."""
    bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    return (get_origin(bare) or bare) in CONTAINERS


def breaks(kind: Any) -> bool:
    """Return whether a union within a type has both."""
    return any(any(map(is_patterned, one)) and any(map(is_container, one)) for one in unions(kind))


def classes(kind: type[Struct]) -> Iterator[type[Struct]]:
    """Yield the classes that are made of one, in opperf."""
    for each in kind.__subclasses__():
        if each.__module__.startswith("opperf."):
            yield each
        yield from classes(each)


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ((PATTERNED, tuple[int, ...]), True),
        ((PATTERNED, Annotated[dict[str, int], Meta(max_length=1)], None), True),
        ((PATTERNED, None), False),
        ((str, tuple[PATTERNED, ...]), False),
    ],
)
def test_such_a_union_is_told(kinds: tuple[Any, ...], *, expected: bool) -> None:
    """Also below others."""
    union = reduce(lambda one, other: Union[one, other], kinds)  # noqa: UP007 - of a list
    assert breaks(union) == expected
    assert breaks(dict[str, Annotated[union, Meta(description="x")]]) == expected


def test_no_class_has_such_a_union() -> None:
    """Text with a pattern beside a list or an object: its memory is freed as what it is not."""
    for path in ROOT.rglob("*.py"):
        if "Struct" in path.read_text():
            import_module(".".join(path.relative_to(ROOT.parent).with_suffix("").parts))
    found = {one.__name__: get_type_hints(one, include_extras=True) for one in classes(Struct)}
    assert found["SpecTestRecord"]
    assert [
        f"{name}.{field}" for name, fields in found.items() for field in fields
        if breaks(fields[field])
    ] == []  # fmt: skip


@pytest.mark.parametrize(
    "made",
    [
        "specs.format.schema import spec_schema",
        "calls.format.schema import calls_schema",
        "core.results.json_schema import record_schema",
    ],
)
def test_a_process_that_makes_a_schema_ends_well(made: str) -> None:
    """Each of a few: it ended by a segmentation fault once in three times, behind its last word."""
    name = made.rpartition(" ")[2]
    code = f"from opperf.{made}; print(len({name}()))"
    for _ in range(PROCESSES):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
