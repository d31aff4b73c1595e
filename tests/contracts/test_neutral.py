"""What is declared says nothing of any one framework, nor calls cotangents seeds."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import opperf

PACKAGE = Path(opperf.__file__).parent
FILES = sorted(
    file for room in ("declaring", "operators") for file in (PACKAGE / room).rglob("*.py")
)
FRAMEWORKS = re.compile(r"mxnet|torch|gluon|onednn", re.IGNORECASE)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_no_framework_is_named(file: Path) -> None:
    """A third framework needs no edit of a declaration: what one cannot do stands in its table."""
    lines = enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
    assert [(at, line) for at, line in lines if FRAMEWORKS.search(line)] == []


def test_every_file_is_looked_at() -> None:
    """Base classes and operators alike are among those."""
    found = {file.relative_to(PACKAGE).as_posix() for file in FILES}
    assert {"declaring/declaration.py", "operators/gemm/gemm.py", "operators/cast.py"} <= found


def test_seeds_are_those_of_generators() -> None:
    """What a gradient is given are cotangents."""
    taken = [
        (file.name, node.name)
        for file in FILES
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        if argument.arg in {"seed", "seeds"}
    ]
    assert taken == []
