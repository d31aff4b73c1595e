"""What the README says is true, and what it shows works when typed."""

import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from opperf.cli.compete import INCONCLUSIVE, REGRESSION
from opperf.cli.conduct import EMPTY, FAILED, FINE, INTERRUPTED
from opperf.cli.parser import VERBS, make_parser, with_default_verb
from opperf.comparing.stored import NotComparableError
from opperf.core.errors import OpperfError, UsageError
from opperf.core.filters.language import parse
from opperf.plan import check_names

Commands = list[list[str]]
QUICK = ("list", "env", "config", "schema")
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs")


@pytest.fixture
def text(root: Path) -> str:
    """Return the README."""
    return (root / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def typed(blocks: Any) -> Commands:
    """Return the words of every command, without comments and variables in front."""
    lines = [line for block in blocks("README.md", "bash") for line in block.splitlines()]
    found = [shlex.split(line, comments=True) for line in lines]
    return [words[1:] if re.match(r"[A-Z]+=", words[0]) else words for words in found if words]


@pytest.fixture
def given(typed: Commands) -> Commands:
    """Return what each command gives to opperf, those by way of make included."""
    given = [words[1:] for words in typed if words[0].endswith("opperf")]
    driven = [words[2:] for words in typed if words[0] == "python"]
    driven += [shlex.split(word[5:]) for words in typed for word in words if word[:5] == "ARGS="]
    return [*given, *([*with_default_verb(words, "run")] for words in driven)]


def test_every_command_is_understood(given: Commands) -> None:
    """Verbs, flags and filters exist, and so does what the filters name."""
    for words in given:
        parsed = make_parser().parse_args(words)
        check_names(parse(getattr(parsed, "filter", "")))


def test_every_verb_is_shown(given: Commands) -> None:
    """There is an example of each verb."""
    assert {words[0] for words in given} == set(VERBS)


@pytest.mark.parametrize("verb", QUICK)
def test_a_quick_command_prints_something(verb: str, given: Commands, opperf: Any) -> None:
    """The commands that measure nothing do what they are shown for."""
    for words in [words for words in given if words[0] == verb]:
        found = opperf.run(*words)
        assert found.stdout, found.stderr
        assert found.returncode == 0


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


def test_the_exit_codes_are_those_of_the_code(text: str) -> None:
    """The table holds every code that a command ends with."""
    codes = {int(code) for code in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)}
    errors = {OpperfError.exit_code, UsageError.exit_code}
    kinds = {FINE, EMPTY, FAILED, INTERRUPTED, REGRESSION, INCONCLUSIVE}
    assert codes == kinds | {NotComparableError.exit_code} | errors


def test_the_results_stand_between_their_marks(text: str) -> None:
    """The first screen has a table of both frameworks, where another can be put."""
    found = re.search(r"<!-- results: begin.*?-->\n(.*?)<!-- results: end -->", text, re.DOTALL)
    assert found
    assert re.search(r"mxnet +pytorch +ratio", found[1])


def test_the_readme_stays_short(text: str) -> None:
    """What takes more room belongs into docs/."""
    assert len(text.splitlines()) <= 180


def test_make_has_the_targets(root: Path) -> None:
    """README and CONTRIBUTING name targets that the Makefile has."""
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    documents = [(root / name).read_text(encoding="utf-8") for name in DOCUMENTS[:2]]
    named = re.findall(r"(?:^|`)make ([a-z]+)\b", "\n".join(documents), re.MULTILINE)
    assert set(named) <= targets


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_leads_to_a_file(name: str, root: Path) -> None:
    """Links within the checkout lead somewhere."""
    documents = [root / name] if name.endswith(".md") else [*(root / name).glob("*.md")]
    for document in documents:
        links = re.findall(r"\]\(([^)#:\s]+)\)", document.read_text(encoding="utf-8"))
        assert [link for link in links if not (document.parent / link).exists()] == []
