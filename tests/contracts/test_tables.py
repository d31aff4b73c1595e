"""The frameworks' tables mirror the categories of the operators, exactly."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import pytest

import opperf.operators
from opperf.core.frameworks.registry import MEASURED

CATEGORIES = sorted(info.name for info in iter_modules(opperf.operators.__path__))


@pytest.mark.parametrize("framework", MEASURED)
def test_there_is_a_table_a_category(framework: str) -> None:
    """A framework's tables have the names of the categories, no more and no fewer."""
    tables = import_module(f"opperf.{framework}_benchmarks.tables")
    assert sorted(info.name for info in iter_modules(tables.__path__)) == CATEGORIES


@pytest.mark.parametrize("framework", MEASURED)
@pytest.mark.parametrize("category", CATEGORIES)
def test_a_table_holds_its_category_only(framework: str, category: str) -> None:
    """Whoever looks for an operator's callable finds it under the operator's category."""
    table = import_module(f"opperf.{framework}_benchmarks.tables.{category}").TABLE
    assert {kind.category for kind in table} <= {category}
