"""Finding an operator by its name, and two that claim one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from opperf.core.errors import UsageError
from opperf.core.results.older_names import OLDER_NAMES
from opperf.declaring.registry import find_operator, operators
from tests.conftest import told

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import CommandLine

ACRONYMS = ("ReLU", "GELU", "SiLU", "CELU", "SELU", "LSTM", "FFT")
PLUGIN = """
from opperf.declaring.elementwise import Unary
import numpy as np

class {name}(Unary):
    "exp(data)."

    category = "mine"
    reference = np.exp
"""


def test_acronyms_have_one_spelling() -> None:
    """As torch.nn and Gluon write them, within a longer name too."""
    found = re.compile("|".join(ACRONYMS), re.IGNORECASE)
    spelled = {text for name in operators() for text in found.findall(name)}
    assert spelled == set(ACRONYMS)


@pytest.mark.parametrize("older", OLDER_NAMES)
def test_a_renamed_operator_is_found(older: str) -> None:
    """By either name."""
    assert find_operator(older) is find_operator(OLDER_NAMES[older])


def test_an_unknown_name_is_led_to_todays() -> None:
    """And to no older one."""
    with pytest.raises(UsageError, match="did you mean 'DenseReLU'"):
        find_operator("DenseRel")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "DenseRelu",
            "'DenseRelu' is declared by mine, and is the older name of DenseReLU; rename it",
        ),
        (
            "DenseReLU",
            "declared by mine and by opperf.operators.fused.dense; rename one",
        ),
        ("Mine", ""),
    ],
)
def test_two_operators_have_no_name_in_common(
    opperf: CommandLine, tmp_path: Path, name: str, words: str
) -> None:
    """Neither today's nor an older one: a record would stand for both."""
    (tmp_path / "mine.py").write_text(PLUGIN.format(name=name))
    package = tmp_path / "mine-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[opperf.operators]\nmine = mine\n")
    opperf.plugin = str(tmp_path)
    done = opperf.run("list", "-k", f"name={name}", "--format", "csv")
    assert len(told(done.stderr)) == (1 if words else 0)
    assert words in done.stderr
    assert done.returncode == (2 if words else 0)
    assert ("\nMine,mine," in done.stdout) is (not words)
