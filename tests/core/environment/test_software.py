"""The software: operating system, interpreter and packages."""

from __future__ import annotations

import os
import platform
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from opperf.core.environment.software import package_version, software_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Machine = Callable[[Mapping[str, str]], Path]


@pytest.mark.parametrize("file", ["etc/os-release", "usr/lib/os-release"])
def test_distribution(machine: Machine, file: str) -> None:
    """The distribution's own name is taken without its quotes."""
    root = machine({file: 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"'})
    assert software_facts(root)["os"] == "Debian GNU/Linux 12 (bookworm)"


def test_no_distribution(tmp_path: Path) -> None:
    """Without a distribution's file the system's own name is left."""
    assert software_facts(tmp_path)["os"] == platform.system()


def test_no_c_library_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A C library that does not tell its version is None."""

    def refuse(_: str) -> str:
        raise ValueError

    monkeypatch.setattr(os, "confstr", refuse)
    assert software_facts(tmp_path)["libc"] is None


def test_python(tmp_path: Path) -> None:
    """The interpreter is the one that runs."""
    python = software_facts(tmp_path)["python"]
    assert isinstance(python, dict)
    assert python["version"] == platform.python_version()
    assert python["executable"] == sys.executable


def test_installed_package() -> None:
    """An installed package's version is the one that the package itself tells."""
    assert package_version("numpy") == np.__version__


def test_missing_package() -> None:
    """A package that is not installed is None."""
    assert package_version("opperf-no-such-package") is None


@pytest.mark.parametrize("backport", [False, True])
@pytest.mark.parametrize("metadata", [None, "", "Name: brokenpackage\n"])
def test_damaged_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, metadata: str | None, backport: bool
) -> None:
    """What a broken installation leaves behind is None, not an exception.

    Where another package has loaded `importlib_metadata`, it answers, with errors of its own.
    """
    if backport:
        pytest.importorskip("importlib_metadata")
    folder = tmp_path / "brokenpackage-1.0.dist-info"
    folder.mkdir()
    if metadata is not None:
        (folder / "METADATA").write_text(metadata)
    monkeypatch.syspath_prepend(tmp_path)
    package_version.cache_clear()
    assert package_version("brokenpackage") is None
