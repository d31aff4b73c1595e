"""What docs/store.md shows is understood, and its tables are those of the code."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from opperf.cli.parser import make_parser
from opperf.core.filters.language import parse
from opperf.storing.database.schema import METADATA


@pytest.fixture
def text(root: Path) -> str:
    """Return the document."""
    return (root / "docs/store.md").read_text(encoding="utf-8")


def test_every_command_is_understood(text: str, blocks: Any) -> None:
    """Those to be typed, and those that cron and systemd run; filters as well."""
    typed = [line for block in blocks("docs/store.md", "bash") for line in block.splitlines()]
    nightly = re.findall(r"bin/(opperf [^;>\n]*)", text)
    assert len(nightly) == 4
    for line in [*typed, *nightly]:
        words = shlex.split(line, comments=True)
        assert words[0] == "opperf"
        parse(getattr(make_parser().parse_args(words[1:]), "filter", ""))


def test_the_schema_is_that_of_the_code(text: str) -> None:
    """Every table, and every column of it."""
    rows = re.findall(r"^\| (opperf_\w+) \| (.*) \|$", text, re.MULTILINE)
    told = {name: re.findall(r"\w+", re.sub(r"\(.*?\)", "", columns)) for name, columns in rows}
    assert told == {table.name: list(table.columns.keys()) for table in METADATA.sorted_tables}
