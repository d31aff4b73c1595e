"""What the documents promise of names, extras and entry points is there."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from opperf.cli import NEEDED
from opperf.core.configuration.file import tomllib
from opperf.core.frameworks import registry as frameworks
from opperf.declaring import registry as operators
from opperf.mxnet_benchmarks.alias import import_mxnet
from opperf.networks import discovery as networks
from opperf.reporting import registry as reporters
from opperf.specs.reporters import registry as spec_reporters
from tests.docs.commands import documents

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
STABILITY = (ROOT / "docs/stability.md").read_text(encoding="utf-8")
DOTTED = re.compile(r"`(opperf(?:\.\w+)+)`")
SHOWN = ("opperf.operators.angle",)
"""What a recipe of docs/add-operator.md adds."""
IMPORT = re.compile(r"^(?:from opperf[\w.]* import .+|import opperf[\w.]*)$", re.MULTILINE)


def promised() -> list[str]:
    """Return the names of the tables of docs/stability.md, without the groups of plug-ins."""
    return sorted({name for name in DOTTED.findall(STABILITY) if name not in groups()})


def groups() -> set[str]:
    """Return the groups of entry points that are asked for."""
    named = (operators, reporters, networks, frameworks, spec_reporters)
    return {registry.GROUP for registry in named}


def find(name: str) -> object:
    """Return a module, or what stands in one."""
    if ".mxnet" in name:
        import_mxnet()
    try:
        return import_module(name)
    except ModuleNotFoundError:
        module, _, attribute = name.rpartition(".")
        return getattr(import_module(module), attribute)


def imports() -> Iterator[str]:
    """Yield what the documents import of opperf, one name each."""
    for document in documents(ROOT):
        for line in IMPORT.findall(document.read_text(encoding="utf-8")):
            (node,) = ast.parse(line).body
            if isinstance(node, ast.ImportFrom):
                names = (f"{node.module}.{name.name}" for name in node.names)
                yield from (name for name in names if name not in SHOWN)


@pytest.mark.parametrize("name", promised())
def test_a_promised_name_exists(name: str) -> None:
    """Under the name that stands in docs/stability.md."""
    assert find(name) is not None


@pytest.mark.parametrize("name", sorted({*imports()}))
def test_what_the_documents_import_exists(name: str) -> None:
    """In README, docs/ and CONTRIBUTING.md."""
    assert find(name) is not None


def test_the_groups_of_plug_ins_are_named() -> None:
    """Those and no others."""
    (row,) = (line for line in STABILITY.splitlines() if line.startswith("| entry points"))
    assert set(DOTTED.findall(row)) == groups()


def extras() -> list[str]:
    """Return the extras that pyproject.toml has."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return sorted(project["optional-dependencies"])


def test_every_extra_is_in_the_table() -> None:
    """Of docs/installing.md, as pyproject.toml has them."""
    text = (ROOT / "docs/installing.md").read_text(encoding="utf-8")
    table = text[text.index("| extra |") :].splitlines()[2:]
    named = [line.split("|")[1].strip() for line in table if line.startswith("|")]
    assert sorted(named) == extras()


def test_a_package_that_is_missing_is_told_by_its_name() -> None:
    """All that opperf does not run without are known to what says so."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [re.split("[^a-z]", requirement)[0] for requirement in project["dependencies"]]
    assert sorted(names) == sorted(NEEDED)
