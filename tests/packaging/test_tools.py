"""The wheel as a program of its own, by the tools that put each into an environment of its own."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import pytest

from tests.packaging.conftest import succeed, wheel_of

if TYPE_CHECKING:
    from pathlib import Path

INSTALLING = {"pipx": ("install", "--python"), "uv": ("tool", "install", "--python")}
"""What each tool is told before the interpreter and the wheel."""
MADE = {
    "bin": ("PIPX_BIN_DIR", "UV_TOOL_BIN_DIR"),
    "man": ("PIPX_MAN_DIR",),
    "tools": ("PIPX_HOME", "UV_TOOL_DIR"),
    "cache": ("UV_CACHE_DIR",),
}
"""The folders that the tools are to use, by the variables that say so."""


@pytest.mark.installs
@pytest.mark.timeout(900)
@pytest.mark.usefixtures("index")
@pytest.mark.parametrize("tool", INSTALLING)
def test_a_tool_installs_opperf(tool: str, built: Path, tmp_path: Path) -> None:
    """What it requires comes from an index; the command measures, and pipx has its manual."""
    own = tmp_path / "own"
    succeed([sys.executable, "-m", "venv", "--without-pip", own], tmp_path)
    pip = [sys.executable, "-m", "pip", "--python", own / "bin/python", "install", "--quiet"]
    succeed([*pip, tool], tmp_path)
    variables = {name: str(tmp_path / folder) for folder, names in MADE.items() for name in names}
    words = [own / "bin" / tool, *INSTALLING[tool], sys.executable, wheel_of(built)]
    succeed(words, tmp_path, variables)
    command = ["run", "Add", "--size", "small", "--quick", "--framework", "numpy"]
    table = succeed([tmp_path / "bin/opperf", *command], tmp_path)
    assert re.search(r"^Add +\(64,64\)", table, re.MULTILINE), table
    assert (tmp_path / "man/man1/opperf.1").is_file() == (tool == "pipx")
