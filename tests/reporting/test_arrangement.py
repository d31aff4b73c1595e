"""Rows in an order, columns by name, and results by how they ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from opperf.core.errors import UsageError
from opperf.reporting.arrangement import column_names, sort_results
from opperf.reporting.table import table

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]


@pytest.fixture
def results(make: Make) -> list[Result]:
    """Return three operators in two frameworks, one of them without a time in either."""
    times = {"Dot": (3.0, 1.0), "Add": (1.0, 2.0), "exp": (2.0, 9.0)}
    found = [
        make(name=name, framework=framework, seconds=seconds)
        for name, pair in times.items()
        for framework, seconds in zip(("mxnet", "pytorch"), pair, strict=True)
    ]
    return [make(name="Bad", status="failed", reason="no"), *found]


@pytest.mark.parametrize(
    ("order", "names"),
    [
        (None, ["Bad", "Dot", "Add", "exp"]),
        ("name", ["Add", "Bad", "Dot", "exp"]),
        ("time", ["exp", "Dot", "Add", "Bad"]),
        ("ratio", ["exp", "Add", "Dot", "Bad"]),
    ],
)
def test_operators_are_sorted(results: list[Result], order: str | None, names: list[str]) -> None:
    """The largest first, what has no number last; no result is lost."""
    found = sort_results(results, order)
    assert list(dict.fromkeys(one.operator.name for one in found)) == names
    assert len(found) == len(results)


def test_the_least_precise_is_first(make: Make) -> None:
    """By the worst of an operator's times."""
    found = sort_results(
        [make(name="A", precision=0.01), make(name="B", precision=0.2)], "precision"
    )
    assert [one.operator.name for one in found] == ["B", "A"]


def test_columns_are_those_asked_for(results: list[Result]) -> None:
    """In the order in which they are named, and a name that is none gives the nearest."""
    head = table(results, 100, names=column_names("ratio,operator, time")).splitlines()[0]
    assert head.split() == ["ratio", "operator", "mxnet", "[s]", "pytorch", "[s]"]
    with pytest.raises(UsageError, match=r"'tiem' in --columns; did you mean 'time'\?"):
        column_names("operator,tiem")
