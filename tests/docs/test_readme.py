"""What the README says is true; test_commands types its commands."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from opperf.cli.common.exit_codes import EMPTY, FAILED, FINE, INCONCLUSIVE, INTERRUPTED, REGRESSION
from opperf.comparing.stored import NotComparableError
from opperf.core.errors import OpperfError, UsageError
from opperf.reporting.table import table

UNIT = re.compile(r"\[[a-z]+\]")
"""That of a column, which is another one for other times."""
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", "docs/lab")


@pytest.fixture
def text(root: Path) -> str:
    """Return the README."""
    return (root / "README.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("both_frameworks")
@pytest.mark.parametrize("number", [0, 1])
def test_a_python_block_can_be_pasted(number: int, blocks: Any, opperf: Any) -> None:
    """The blocks run as they are, and print the older package's lines."""
    found = blocks("README.md", "python")
    assert len(found) == 2
    said = opperf.execute([sys.executable, "-c", found[number]])
    assert said.returncode == 0, said.stderr
    line = r"^(MX|PT)_Add_Forward_Backward_Time - \d+\.\d{6} seconds$"
    assert re.search(line, said.stdout, re.MULTILINE)


def test_the_exit_codes_are_those_of_the_code(root: Path) -> None:
    """The table of docs/ci.md holds every code that a command ends with."""
    text = (root / "docs" / "ci.md").read_text(encoding="utf-8")
    codes = {int(code) for code in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)}
    errors = {OpperfError.exit_code, UsageError.exit_code}
    kinds = {FINE, EMPTY, FAILED, INTERRUPTED, REGRESSION, INCONCLUSIVE}
    assert codes == kinds | {NotComparableError.exit_code} | errors


def test_the_results_stand_between_their_marks(text: str) -> None:
    """The first screen has a table of both frameworks, where another can be put."""
    found = re.search(r"<!-- results: begin.*?-->\n(.*?)<!-- results: end -->", text, re.DOTALL)
    assert found
    assert re.search(r"mxnet \[ms\] +pytorch \[ms\] +ratio", found[1])


def test_the_results_have_the_form_that_is_printed(text: str, make_result: Any) -> None:
    """Columns and explanations are those of today's program; its figures are those of that day."""
    times = [("mxnet", 1.0, "ok"), ("pytorch", 1.01, "ok"), ("mxnet", 2.0, "noisy")]
    operator = make_result().operator
    results = [
        make_result(
            operator={**operator, "framework": name, "direction": direction},
            status=status,
            summary={"n": 9, "median": seconds, "interval": [seconds * 0.99, seconds * 1.02],
                     "precision": 0.01, "warnings": []},
        )
        for direction, chosen in (("forward", times[:2]), ("backward", times[1:]))
        for name, seconds, status in chosen
    ]  # fmt: skip
    printed = table(results, 100).splitlines()
    block = text.partition("```text\n")[2].partition("unsupported:")[0]
    head, _, below = block.partition("\n\n")
    assert UNIT.sub("[]", head).splitlines()[0].split() == UNIT.sub("[]", printed[0]).split()
    for line in below.splitlines():
        assert any(one.startswith(line) for one in printed), line


def test_the_readme_stays_short(text: str) -> None:
    """What takes more room belongs into docs/."""
    assert len(text.splitlines()) <= 150


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_leads_to_a_file(name: str, root: Path) -> None:
    """Links within the checkout lead somewhere."""
    documents = [root / name] if name.endswith(".md") else [*(root / name).glob("*.md")]
    for document in documents:
        links = re.findall(r"\]\(([^)#:\s]+)\)", document.read_text(encoding="utf-8"))
        assert [link for link in links if not (document.parent / link).exists()] == []
