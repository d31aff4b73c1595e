"""What the coverage knows beside the frameworks' registries is true of the frameworks at hand."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.frameworks.implementation import resolve
from opperf.core.frameworks.registry import MEASURED, find_framework
from opperf.coverage import count
from opperf.coverage.public import UNDECLARED, Known, Public, read_known

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


@pytest.fixture(params=MEASURED)
def framework(request: pytest.FixtureRequest) -> Any:
    """Return each framework that is installed."""
    found = find_framework(request.param)
    if not found.is_installed():
        pytest.skip(f"{found.name} is not installed")
    return found


@pytest.fixture
def known(framework: Any) -> Known:
    """Return what the package's file says of the framework."""
    return read_known(framework.name)


@pytest.fixture
def offered(framework: Any, known: Known) -> Public:
    """Return what the framework offers."""
    return count.public(framework, known)


@pytest.fixture
def counted(framework: Any) -> Sequence[count.Coverage]:
    """Return the coverage of the framework's registries, OpInfo among them."""
    told: list[str] = []
    found = count.coverage(framework.name, told.append)
    assert not told
    return found


def test_all_that_a_table_names_is_counted(framework: Any, known: Known, offered: Public) -> None:
    """By a registry or by the package's file: else an operator would be missing without a word."""
    said = {*known.runs, *offered.same}
    for name in count.table_callables(framework):
        assert name in said or any(fnmatchcase(name, pattern) for pattern in known.beyond), name


def test_what_tables_name_for_others_is_named(framework: Any, known: Known) -> None:
    """An equivalence of something that no table names any more is struck."""
    named = count.table_callables(framework)
    assert set(known.runs) <= set(named)
    for pattern in known.beyond:
        assert any(fnmatchcase(name, pattern) for name in named), pattern


def test_equivalents_are_operators_that_count(offered: Public, known: Known) -> None:
    """Each name that a table's callable or an alias stands for is one of a registry."""
    names = {name for registry in offered.registries.values() for name in registry}
    for targets in known.runs.values():
        assert {offered.same[name] for name in targets} <= names
    assert set(known.public.values()) <= names | set(offered.same)


def test_every_reason_is_needed(counted: Sequence[count.Coverage], known: Known) -> None:
    """A pattern that fits nothing uncovered is struck, and none hides what would be undeclared."""
    uncovered = {name for one in counted for name in one.uncovered}
    for pattern, why in known.reasons.items():
        assert any(fnmatchcase(name, pattern) for name in uncovered), pattern
        assert why != UNDECLARED


def test_names_exist_and_count_once(counted: Sequence[count.Coverage], offered: Public) -> None:
    """Each name is a callable of the framework, in one registry; none is covered and uncovered."""
    names = [name for registry in offered.registries.values() for name in registry]
    assert len(names) == len(set(names))
    assert all(callable(resolve(name)) for name in names)
    for one in counted:
        assert not set(one.covered) & set(one.uncovered)
        assert one.covered or one.uncovered
