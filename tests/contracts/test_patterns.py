"""What is written down of declarations' calls leads each call back to the inputs it was made of."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from opperf.calls.declared.finding import declared_call
from opperf.calls.declared.pattern import parse_pattern, parse_signature
from opperf.core.frameworks.calling import ARGUMENTS, DIRECTIONS, KNOWN, read
from opperf.declaring.registry import find_operator, operators
from tests.contracts.explaining import UnclearError
from tests.contracts.observed import observe
from tests.contracts.patterns import call_of, find, require_way_back
from tests.contracts.probing import instances, spread, tried

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.core.frameworks.framework import Framework

PROBES = 2
"""Inputs that differ from the smallest size in one thing, on which each pattern is tried."""
CORE = ("Conv2D", "Dense", "BatchNorm", "LayerNorm", "Softmax", "Embedding", "MaxPool2D", "Sum")


@pytest.fixture
def observed(measured: Framework) -> Framework:
    """Return each framework whose calls are written down with what they are given."""
    if not measured.calling.package:
        pytest.skip(f"{measured.name}: arguments are not written down")
    return measured


def written(framework: Framework) -> dict[str, Any]:
    """Return what is written down of a framework's operators."""
    return read(f"opperf.{framework.name}_benchmarks.calling", ARGUMENTS)


def entries(framework: Framework) -> Iterator[tuple[str, str, str]]:
    """Yield each operator, direction and pattern."""
    for name, row in written(framework).items():
        for direction in DIRECTIONS:
            for text in row.get(direction, ()):
                yield name, direction, text


def test_each_call_leads_back_to_its_inputs(observed: Framework) -> None:
    """From the declaration to the framework's call, and from the call to the declaration."""
    wrong = []
    for name, direction, text in entries(observed):
        kind = operators()[parse_pattern(text, direction).declaration]
        variant = kind.variants()[0]
        changed = instances(kind, islice(spread(kind), PROBES))
        seen = 0
        for operator in (kind(size="small"), *changed):
            call = tried(observed, operator, variant, direction)
            if call is None or call.operator != name:
                continue
            seen += 1
            try:
                require_way_back(text, direction, [(operator, call)])
            except UnclearError as error:
                wrong.append(f"{name} {direction} {text}: {error}")
        if not seen:
            wrong.append(f"{name} {direction} {text}: no such call")
    assert wrong == [], "written and seen differ: python -m tests.contracts.patterns --write"


@pytest.mark.parametrize("declaration", CORE)
def test_what_is_written_is_found_by_trying(observed: Framework, declaration: str) -> None:
    """Word by word, where the framework has just one operator for it."""
    kind = find_operator(declaration)
    found = find(observed, [(kind, kind.variants()[0])], lambda _line: None)
    rows = written(observed)
    for name, row in found.items():
        assert rows[name]["takes"] == row["takes"]
        for direction in DIRECTIONS:
            assert {*row.get(direction, ())} <= {*rows[name].get(direction, ())}


def test_the_plainest_declaration_is_the_call_itself(observed: Framework) -> None:
    """The first pattern's own call is told to be that declaration, or one alike."""
    different = {}
    for name, row in written(observed).items():
        for direction in ("forward", "backward"):
            for text in row.get(direction, ())[:1]:
                kind = operators()[parse_pattern(text, direction).declaration]
                call = observe(observed, kind(size="small"), kind.variants()[0], direction)
                assert call is not None
                back = declared_call(call_of(call), observed.calling)
                if back.declaration != kind.name():
                    different[name, direction] = kind.name(), back.declaration
    assert different == {}


def test_patterns_name_what_there_is(observed: Framework) -> None:
    """Declarations, their inputs, and as many arguments as the operator takes."""
    by_hand = read(f"opperf.{observed.name}_benchmarks.calling", KNOWN)["patterns"]
    rows = {name: observed.calling.patterns(name) for name in {*written(observed), *by_hand}}
    texts = ((name, each, text) for name, row in rows.items() for each in DIRECTIONS
             for text in row[each])  # fmt: skip
    for name, direction, text in texts:
        pattern = parse_pattern(text, direction)
        kind = operators()[pattern.declaration]
        takes = parse_signature(rows[name]["takes"])
        assert len(pattern.arguments) == len(takes.names), (name, text)
        assert pattern.shapes.keys() <= kind.defaults("small").keys(), (name, text)
