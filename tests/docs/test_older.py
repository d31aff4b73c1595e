"""The page for users of the older package says what is so."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import pytest

from opperf.legacy.inputs import OLDER_INPUTS

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "docs/older.md"


@pytest.mark.usefixtures("both_frameworks")
def test_the_example_can_be_pasted(blocks: Any, opperf: Any) -> None:
    """It runs as it is, and prints what its comments say."""
    (program,) = blocks(PAGE, "python")
    said = opperf.execute([sys.executable, "-c", program])
    assert said.returncode == 0, said.stderr
    line, *others = said.stdout.splitlines()
    assert re.fullmatch(r"MX_Power_Forward_Backward_Time - \d+\.\d{6} seconds", line)
    rest = [other for other in others if " - unreliable: " not in other]
    assert rest[0] == "(8, 3, 3, 3)"
    assert all(found.startswith("Conv2D ") for found in rest[1:])
    assert len(rest) == 5


def test_every_older_input_is_on_the_page(root: Path) -> None:
    """Of each operator or of its kind."""
    text = (root / PAGE).read_text(encoding="utf-8")
    named = {word for span in re.findall(r"`([^`\n]+)`", text) for word in re.findall(r"\w+", span)}
    assert {name for rules in OLDER_INPUTS.values() for name in rules} - named == set()
