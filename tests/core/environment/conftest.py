"""Fake machines, as trees of /proc, /sys and /etc files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


@pytest.fixture
def machine(tmp_path: Path) -> Callable[[Mapping[str, str]], Path]:
    """Return a function that writes files, by their paths below /, and returns the fake /."""

    def write(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + "\n", encoding="utf-8")
        return tmp_path

    return write
