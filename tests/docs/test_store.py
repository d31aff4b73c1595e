"""What docs/store.md says of the schema is what the code has; test_commands types its commands."""

import re
from pathlib import Path

import pytest

from opperf.storing.database.schema import METADATA


@pytest.fixture
def text(root: Path) -> str:
    """Return the document."""
    return (root / "docs/store.md").read_text(encoding="utf-8")


def test_the_schema_is_that_of_the_code(text: str) -> None:
    """Every table, and every column of it."""
    rows = re.findall(r"^\| (opperf_\w+) \| (.*) \|$", text, re.MULTILINE)
    told = {name: re.findall(r"\w+", re.sub(r"\(.*?\)", "", columns)) for name, columns in rows}
    assert told == {table.name: list(table.columns.keys()) for table in METADATA.sorted_tables}
