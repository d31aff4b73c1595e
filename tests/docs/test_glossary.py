"""The glossary holds the words that the code has, and each once."""

import ast
import re
from pathlib import Path

import pytest

from opperf.core.frameworks.workload import DIRECTIONS
from opperf.core.results.status import STATUSES
from opperf.reporting.wording import DIRECTIONS as SHORT

Sections = dict[str, list[list[str]]]


@pytest.fixture
def sections(root: Path) -> Sections:
    """Return the cells of each row of the glossary's tables, by section."""
    text = (root / "docs/glossary.md").read_text(encoding="utf-8")
    found = re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    return {name: rows(body)[2:] for name, body in found}


def rows(body: str) -> list[list[str]]:
    """Return the cells of every line of a table."""
    return [line.strip("| ").split(" | ") for line in body.splitlines() if line.startswith("|")]


def words(sections: Sections, name: str) -> list[str]:
    """Return what a section defines."""
    return [row[0] for row in sections[name]]


def codes_in(file: Path) -> set[str]:
    """Return the codes of the warnings that a module makes."""
    calls = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)]
    made = [call for call in calls if getattr(call.func, "id", None) == "MeasurementWarning"]
    return {ast.literal_eval(call.args[0]) for call in made}


def test_the_statuses_are_those_of_a_record(sections: Sections) -> None:
    """Every status is defined, in the order in which reports count them."""
    assert words(sections, "Statuses") == [*STATUSES]


def test_the_directions_are_those_that_are_measured(sections: Sections) -> None:
    """Every direction is defined, with the short name of the tables."""
    assert words(sections, "Directions") == [*DIRECTIONS]
    assert {row[0]: row[1] for row in sections["Directions"]} == SHORT


def test_the_warnings_are_those_of_the_code(sections: Sections, root: Path) -> None:
    """Every code has its meaning and advice, and there is none that no code makes."""
    codes = set().union(*(codes_in(file) for file in (root / "opperf").rglob("*.py")))
    assert set(words(sections, "Warnings")) == codes
    assert all(len(row) == 3 for row in sections["Warnings"])


def test_no_word_has_two_meanings(sections: Sections) -> None:
    """Only "noisy" is both a status and the warning that leads to it."""
    defined = [
        word for name in sections for row in words(sections, name) for word in row.split(", ")
    ]
    assert {word for word in defined if defined.count(word) > 1} <= {"noisy"}
