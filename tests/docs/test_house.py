"""The house of docs/design.md: few modules at the top, small files, every room drawn."""

from __future__ import annotations

import re
from pathlib import Path
from statistics import median

HOUSE = Path(__file__).parents[2] / "opperf"
MODULES = sorted(HOUSE.rglob("*.py"))
MOST_LINES, MOST_OF_A_TABLE, MEDIAN = 250, 400, 90


def lines_of(path: Path) -> int:
    """Return how many lines a module has."""
    return len(path.read_text(encoding="utf-8").splitlines())


def test_at_most_four_modules_stand_beside_the_rooms() -> None:
    """Whoever opens the package sees rooms, not loose modules."""
    assert len([*HOUSE.glob("*.py")]) <= 4


def test_no_module_is_long() -> None:
    """Where a second subject begins, a second file does."""
    most = {
        path: MOST_OF_A_TABLE if path.parent.name == "tables" else MOST_LINES for path in MODULES
    }
    assert [path for path in MODULES if lines_of(path) > most[path]] == []
    assert median(map(lines_of, MODULES)) <= MEDIAN


def test_design_draws_every_room() -> None:
    """The drawing has the rooms that there are, and no others."""
    text = (HOUSE.parent / "docs" / "design.md").read_text(encoding="utf-8")
    drawing = text[
        text.index("The rooms, from the top") : text.index("The category of an operator")
    ]
    lines = [line for line in drawing.splitlines() if re.match(r" {4}\w+/", line)]
    drawn = {name for line in lines for name in re.findall(r"(?<!<)\b(\w+)/(?=\s|$)", line)}
    assert drawn == {path.name for path in HOUSE.iterdir() if (path / "__init__.py").exists()}
