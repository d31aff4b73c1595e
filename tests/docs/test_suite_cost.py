"""What benchmarks/suite_cost.py measures, prints and writes, on one operator."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.frameworks.registry import find_framework

if TYPE_CHECKING:
    from pathlib import Path

BEGIN, END = "<!-- suite cost: begin -->", "<!-- suite cost: end -->"


def cost(opperf: Any, root: Path, *words: str) -> Any:
    """Run the command."""
    if not find_framework("mxnet").is_installed():
        pytest.skip("mxnet is not installed")
    return opperf.execute([sys.executable, str(root / "benchmarks/suite_cost.py"), *words])


def test_the_table_stands_between_the_marks(opperf: Any, root: Path, tmp_path: Path) -> None:
    """Rows, time and circumstances are written where the page has room for them, and only there."""
    page = tmp_path / "page.md"
    page.write_text(f"above\n{BEGIN}\nthe last one\n{END}\nbelow\n", encoding="utf-8")
    said = cost(opperf, root, "-k", "name=Abs and direction=forward", "--page", str(page))
    assert said.returncode == 0, said.stderr
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"above\n{BEGIN}\n")
    assert text.endswith(f"{END}\nbelow\n")
    assert "the last one" not in text
    assert re.search(r"\| rows.* \| 1: 1 (ok|noisy) \|", text)
    assert re.search(r"\| time \| \d+:\d\d \(\d+ s\) \|", text)
    assert "slowed by others" in text


def test_a_run_that_fails_writes_nothing(opperf: Any, root: Path, tmp_path: Path) -> None:
    """What selects no operator ends as `opperf run` does, and the page stays as it was."""
    page = tmp_path / "page.md"
    page.write_text(f"{BEGIN}\n{END}\n", encoding="utf-8")
    said = cost(opperf, root, "-k", "name=Dropout2D", "--page", str(page))
    assert said.returncode == 12
    assert "nothing is written" in said.stderr
    assert page.read_text(encoding="utf-8") == f"{BEGIN}\n{END}\n"
