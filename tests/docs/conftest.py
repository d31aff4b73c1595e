"""Where the documents are, the code in them, and whether it can be run here."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from opperf.core.frameworks.registry import MEASURED, find_framework
from tests.docs.commands import ROOT, blocks_in

Blocks = Callable[[str, str], Sequence[str]]


@pytest.fixture
def root() -> Path:
    """Return the folder of the checkout."""
    return ROOT


@pytest.fixture
def blocks() -> Blocks:
    """Return a function that gives the code blocks of a document in a language, in order."""

    def find(document: str, language: str) -> Sequence[str]:
        return blocks_in((ROOT / document).read_text(encoding="utf-8"), (language,))

    return find


@pytest.fixture
def both_frameworks() -> None:
    """Skip where a document needs both frameworks and one is absent."""
    for name in MEASURED:
        if not find_framework(name).is_installed():
            pytest.skip(f"{name} is not installed")
