"""Options that the documents name in a sentence exist."""

from __future__ import annotations

import re
from argparse import ArgumentParser, _SubParsersAction
from typing import TYPE_CHECKING

import pytest

from opperf.cli.parser import make_parser
from tests.docs.commands import ROOT, documents, named_options

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SCRIPTS = ("benchmarks", "docs", "examples", "opperf/pytest_plugin", "tests/contracts")
"""Where the programs are that the documents name beside opperf."""


def options(parser: ArgumentParser) -> Iterator[str]:
    """Yield the options of a parser, and of all verbs and tasks below it."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, _SubParsersAction):
            for one in action.choices.values():
                yield from options(one)


@pytest.fixture(scope="module")
def known() -> set[str]:
    """Return every option of opperf and of the programs in the checkout."""
    files = [file for folder in SCRIPTS for file in (ROOT / folder).rglob("*.py")]
    texts = [file.read_text(encoding="utf-8") for file in files]
    written = (option for text in texts for option in re.findall(r'"(--[a-z-]+)"', text))
    return {*options(make_parser()), *written}


@pytest.mark.parametrize("document", documents(ROOT), ids=lambda path: path.name)
def test_every_option_that_is_named_exists(document: Path, known: set[str]) -> None:
    """An option of a sentence is one of opperf's, or of a program in the checkout."""
    assert named_options(document.read_text(encoding="utf-8")) - known == set()
